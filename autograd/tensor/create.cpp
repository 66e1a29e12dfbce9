#include "autograd/tensor/create.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "autograd/base/user_call.h"

namespace heed {

Tensor full(const Shape& shape, double value, Dtype dtype) {
    const UserCall named("full");
    Tensor x = empty(shape, dtype);
    with_dtype(dtype, [&]<class T>(T) {
        T* data = x.edit<T>();
        std::fill(data, data + x.numel(), static_cast<T>(value));
    });
    return x;
}

Tensor zeros(const Shape& shape, Dtype dtype) {
    const UserCall named("zeros");
    return full(shape, 0, dtype);
}
Tensor ones(const Shape& shape, Dtype dtype) {
    const UserCall named("ones");
    return full(shape, 1, dtype);
}
Tensor scalar(double value, Dtype dtype) { return full({}, value, dtype); }
Tensor empty_like(const Tensor& x) {
    const UserCall named("empty_like");
    check_defined("empty_like", x);
    return empty(x.shape(), x.dtype());
}
Tensor full_like(const Tensor& x, double value) {
    const UserCall named("full_like");
    check_defined("full_like", x);
    return full(x.shape(), value, x.dtype());
}
Tensor zeros_like(const Tensor& x) {
    const UserCall named("zeros_like");
    check_defined("zeros_like", x);
    return zeros(x.shape(), x.dtype());
}
Tensor ones_like(const Tensor& x) {
    const UserCall named("ones_like");
    check_defined("ones_like", x);
    return ones(x.shape(), x.dtype());
}

namespace {

// [count]: f of each index.
template <class F>
Tensor of_index(int64_t count, Dtype dtype, const F& f) {
    Tensor x = empty({count}, dtype);
    with_dtype(dtype, [&]<class T>(T) {
        T* data = x.edit<T>();
        for (int64_t i = 0; i < count; ++i) data[i] = static_cast<T>(f(i));
    });
    return x;
}

}  // namespace

Tensor arange(Integer count, Dtype dtype) {
    const UserCall named("arange");
    check(count >= 0, "arange: expected a count of 0 or more, got {}", count);
    return of_index(count, dtype, [](int64_t i) { return static_cast<double>(i); });
}

Tensor arange(double begin, double end, double step, Dtype dtype) {
    const UserCall named("arange");
    check(step != 0, "arange: the step from {} to {} must not be 0", begin, end);
    const double count = std::ceil((end - begin) / step);
    check(std::isfinite(count), "arange: cannot count from {} to {} in steps of {}", begin, end,
          step);
    check(count < 1e18, "arange: from {} to {} in steps of {} are {} numbers", begin, end, step,
          count);
    return of_index(count > 0 ? static_cast<int64_t>(count) : 0, dtype,
                    [&](int64_t i) { return begin + static_cast<double>(i) * step; });
}

Tensor linspace(double begin, double end, Integer count, Dtype dtype) {
    const UserCall named("linspace");
    check(count >= 0, "linspace: expected a count of 0 or more, got {}", count);
    return of_index(count, dtype, [&](int64_t i) {
        if (count > 1 && i == count - 1) return end;
        return begin + (end - begin) * static_cast<double>(i) /
                           static_cast<double>(std::max<int64_t>(count - 1, 1));
    });
}

Tensor eye(Integer size, Dtype dtype) {
    const UserCall named("eye");
    check(size >= 0, "eye: expected a size of 0 or more, got {}", size);
    Tensor x = zeros({size, size}, dtype);
    with_dtype(dtype, [&]<class T>(T) {
        T* data = x.edit<T>();
        for (int64_t i = 0; i < size; ++i) data[i * size + i] = 1;
    });
    return x;
}

Tensor tensor(const std::vector<double>& values, const Shape& shape, Dtype dtype) {
    const UserCall named("tensor");
    check(static_cast<int64_t>(values.size()) == shape.numel(),
          "tensor: shape {} holds {} numbers, got {}", shape, shape.numel(), values.size());
    Tensor x = empty(shape, dtype);
    with_dtype(dtype, [&]<class T>(T) { std::copy(values.begin(), values.end(), x.edit<T>()); });
    return x;
}

Tensor tensor(const std::vector<double>& values, Dtype dtype) {
    const UserCall named("tensor");
    return tensor(values, {static_cast<int64_t>(values.size())}, dtype);
}

Tensor tensor(std::span<const float> values, const Shape& shape) {
    const UserCall named("tensor");
    check(static_cast<int64_t>(values.size()) == shape.numel(),
          "tensor: shape {} holds {} numbers, got {}", shape, shape.numel(), values.size());
    Tensor x = empty(shape);
    std::copy(values.begin(), values.end(), x.edit<float>());
    return x;
}

}  // namespace heed
