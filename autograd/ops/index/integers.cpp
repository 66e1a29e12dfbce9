#include "autograd/ops/index/integers.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace heed {
namespace {

int64_t count_before(const Shape& shape, int axis) {
    int64_t count = 1;
    for (int i = 0; i < axis; ++i) count *= shape[i];
    return count;
}
int64_t count_from(const Shape& shape, int axis) {
    int64_t count = 1;
    for (int i = axis; i < shape.count; ++i) count *= shape[i];
    return count;
}

// f(i) for each value, as a tensor.
template <class F>
Tensor tensor_of(const Indices& x, Dtype dtype, F f) {
    Tensor y = empty(x.shape(), dtype);
    with_dtype(dtype, [&]<class T>(T) {
        T* to = y.edit<T>();
        for (int64_t i = 0; i < x.count(); ++i) to[i] = static_cast<T>(f(i));
    });
    return y;
}

void check_same_shape(const Indices& a, const Indices& b, const char* operation) {
    check(a.shape() == b.shape(), "{}: shapes differ: {} and {}", operation, a.shape(), b.shape());
}

}  // namespace

Indices concat(const std::vector<Indices>& parts, Integer axis) {
    check(!parts.empty(), "concat: expected at least one Indices");
    const int a = parts[0].shape().axis(axis, "concat");
    Shape shape = parts[0].shape();
    shape[a] = 0;
    for (const Indices& part : parts) {
        Shape other = part.shape();
        check(other.count == shape.count, "concat: {} and {} have different numbers of axes",
              parts[0].shape(), other);
        other[a] = shape[a];
        check(other == shape, "concat: {} and {} differ along another axis than {}",
              parts[0].shape(), part.shape(), axis);
        shape[a] += part.shape()[a];
    }
    std::vector<int> values;
    values.reserve(shape.numel());
    for (int64_t block = 0; block < count_before(shape, a); ++block)
        for (const Indices& part : parts) {
            const int64_t length = count_from(part.shape(), a);
            values.insert(values.end(), part.begin() + block * length,
                          part.begin() + (block + 1) * length);
        }
    return Indices(std::move(values), shape);
}

Indices slice(const Indices& x, Integer axis, Integer begin, Integer end) {
    const int a = x.shape().axis(axis, "slice");
    const int64_t size = x.shape()[a];
    if (begin < 0) begin = begin + size;
    if (end < 0) end = end + size;
    check(begin >= 0 && begin <= end && end <= size,
          "slice: [{}, {}) is not inside axis {} of shape {}", begin, end, axis, x.shape());
    Shape shape = x.shape();
    shape[a] = end - begin;
    const int64_t step = count_from(x.shape(), a + 1);
    std::vector<int> values;
    values.reserve(shape.numel());
    for (int64_t block = 0; block < count_before(shape, a); ++block)
        values.insert(values.end(), x.begin() + (block * size + begin) * step,
                      x.begin() + (block * size + end) * step);
    return Indices(std::move(values), shape);
}

Tensor equal(const Indices& a, Integer b, Dtype dtype) {
    return tensor_of(a, dtype, [&](int64_t i) { return a[i] == b; });
}
Tensor equal(const Indices& a, const Indices& b, Dtype dtype) {
    check_same_shape(a, b, "equal");
    return tensor_of(a, dtype, [&](int64_t i) { return a[i] == b[i]; });
}
Tensor not_equal(const Indices& a, Integer b, Dtype dtype) {
    return tensor_of(a, dtype, [&](int64_t i) { return a[i] != b; });
}
Tensor not_equal(const Indices& a, const Indices& b, Dtype dtype) {
    check_same_shape(a, b, "not_equal");
    return tensor_of(a, dtype, [&](int64_t i) { return a[i] != b[i]; });
}
Tensor less(const Indices& a, Integer b, Dtype dtype) {
    return tensor_of(a, dtype, [&](int64_t i) { return a[i] < b; });
}
Tensor greater(const Indices& a, Integer b, Dtype dtype) {
    return tensor_of(a, dtype, [&](int64_t i) { return a[i] > b; });
}

Indices bincount(const Indices& x, Integer minlength) {
    check(minlength >= 0, "bincount: a minlength of {}; expected at least 0", minlength);
    int64_t size = minlength;
    for (int64_t i = 0; i < x.count(); ++i) {
        if (x[i] < 0) fail("bincount: {} at {}; expected no negative value", x[i], x.position(i));
        size = std::max<int64_t>(size, int64_t{x[i]} + 1);
    }
    std::vector<int> counts(size);
    for (int value : x) ++counts[value];
    return Indices(std::move(counts));
}

Indices nonzero(const Tensor& x) {
    check_defined("nonzero", x);
    const Shape& shape = x.shape();
    const Strides strides = contiguous_strides(shape);
    const std::vector<double> numbers = x.to_vector();
    std::vector<int64_t> found;
    int64_t rows = 0;
    for (int64_t i = 0; i < std::ssize(numbers); ++i) {
        if (numbers[i] == 0) continue;
        ++rows;
        for (int a = 0; a < shape.count; ++a) found.push_back(i / strides[a] % shape[a]);
    }
    return Indices(found, {rows, shape.count});
}

Indices to_indices(const Tensor& x) {
    check_defined("to_indices", x);
    const std::vector<double> numbers = x.to_vector();
    std::vector<int> values(numbers.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const bool whole = std::floor(numbers[i]) == numbers[i] &&
                           std::abs(numbers[i]) <= std::numeric_limits<int>::max();
        if (whole)
            values[i] = static_cast<int>(numbers[i]);
        else
            fail("to_indices: {} at {} is not a whole number that fits into an int", numbers[i],
                 Indices(std::vector<int>(numbers.size()), x.shape())
                     .position(static_cast<int64_t>(i)));
    }
    return Indices(std::move(values), x.shape());
}

Tensor to_tensor(const Indices& x, Dtype dtype) {
    return tensor_of(x, dtype, [&](int64_t i) { return x[i]; });
}

}  // namespace heed
