// What the tests of the engine share: random inputs, tensors in all memory layouts, and the comparison
// with numbers computed by plain loops.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "autograd/autograd.h"
#include "tests/catch.h"
#include "tests/error_of.h"

namespace heed {

// Slow; and every freed block leaves the pool at once.
inline constexpr bool sanitized = !pool_recycles;

inline constexpr Dtype both_dtypes[] = {Dtype::float32, Dtype::float64};

// Rounding in a few operations, in units of numbers around 1.
inline double rounding(Dtype dtype) { return dtype == Dtype::float32 ? 2e-6 : 1e-14; }

// Numbers from [low, high], no two alike, the same for the same seed.
inline Tensor draw(const Shape& shape, Dtype dtype = Dtype::float64, uint64_t seed = 1,
                   double low = -1, double high = 1) {
    Rng rng(seed);
    return uniform(shape, low, high, rng, dtype);
}

// The same numbers as x in every memory layout for which kernels have a path of their own.
struct NamedLayout {
    const char* name;
    Tensor x;
};
inline std::vector<NamedLayout> layouts_of(const Tensor& x) {
    std::vector<NamedLayout> layouts{{"row-major", clone(x)}};
    if (x.dim() == 0) return layouts;
    if (x.dim() < max_axes) {
        const Tensor nan = full(x.shape(), std::nan(""), x.dtype());
        const Tensor pairs = flatten(stack({x, nan}, -1), -2);  // x0, NaN, x1, NaN, ...
        layouts.push_back({"every second", slice(pairs, -1, 0, pairs.size(-1), 2)});
    }
    layouts.push_back({"backwards", flip(clone(flip(x, -1)), -1)});
    layouts.push_back({"inside rows of a larger one",
                       slice(pad(x, -1, 1, 2, std::nan("")), -1, 1, 1 + x.size(-1))});
    layouts.push_back({"transposed", transpose(clone(transpose(x, 0, -1)), 0, -1)});
    return layouts;
}

inline bool close(double found, double expected, double tolerance) {
    if (std::isnan(expected)) return std::isnan(found);
    if (found == expected) return true;
    return std::abs(found - expected) <= tolerance * std::max(1.0, std::abs(expected));
}

// Every element of y is the expected one; NaN and infinities included.
inline void require_close(const Tensor& y, const std::vector<double>& expected, double tolerance) {
    const std::vector<double> found = y.to_vector();
    REQUIRE(found.size() == expected.size());
    for (std::size_t i = 0; i < found.size(); ++i)
        if (!close(found[i], expected[i], tolerance)) {
            INFO("element " << i << ": found " << found[i] << ", expected " << expected[i]);
            FAIL_CHECK("they differ by " << found[i] - expected[i]);
            return;
        }
    SUCCEED();
}
inline void require_close(const Tensor& y, const Tensor& expected, double tolerance) {
    REQUIRE(to_string(y.shape()) == to_string(expected.shape()));
    REQUIRE(y.dtype() == expected.dtype());
    require_close(y, expected.to_vector(), tolerance);
}

// The same shape, and the same bits.
inline bool same_bits(const Tensor& a, const Tensor& b) {
    if (!(a.shape() == b.shape()) || a.dtype() != b.dtype()) return false;
    const Tensor x = clone(a), y = clone(b);
    const std::size_t bytes = x.numel() * (x.dtype() == Dtype::float32 ? 4 : 8);
    return std::memcmp(x.body()->bytes, y.body()->bytes, bytes) == 0;
}

// visit(index) for every index of a shape, in row-major order.
template <class Visit>
void each_index(const Shape& shape, Visit visit) {
    Axes index;
    index.count = shape.count;
    for (int64_t left = shape.numel(); left > 0; --left) {
        visit(index);
        for (int i = shape.count - 1; i >= 0 && ++index[i] == shape[i]; --i) index[i] = 0;
    }
}

// x at an index of a shape that x broadcasts to.
inline double at(const Tensor& x, const Axes& index) {
    int64_t offset = 0;
    for (int i = 0; i < x.dim(); ++i)
        if (x.shape()[i] > 1) offset += index[i + index.count - x.dim()] * x.strides()[i];
    return with_dtype(x.dtype(),
                      [&]<class T>(T) { return static_cast<double>(x.data<T>()[offset]); });
}

// Sets the number of threads for as long as it lives.
struct WithThreads {
    int before = threads();
    explicit WithThreads(int count) { set_threads(count); }
    ~WithThreads() { set_threads(before); }
};

}  // namespace heed
