// Operations that make axes disappear. `axes` are counted from 0, or from the end with negative
// numbers; without axes all are reduced. With keepdim the reduced axes stay, with size 1. All throw
// for an axis that is not there or named twice.
#pragma once

#include <optional>

#include "autograd/tensor/indices.h"
#include "autograd/tensor/tensor.h"

namespace heed {

// One axis, several, or (empty) all of them.
struct Reduce : Axes {
    Reduce() = default;
    Reduce(int axis) { push(axis); }
    Reduce(std::initializer_list<int64_t> axes) : Axes(axes) {}
};

Tensor sum(const Tensor& x, const Reduce& axes = {}, bool keepdim = false);
Tensor mean(const Tensor& x, const Reduce& axes = {}, bool keepdim = false);
// The mean squared distance from the mean, over n - correction; correction 1 is the unbiased one.
Tensor var(const Tensor& x, const Reduce& axes = {}, bool keepdim = false, int correction = 1);
// The largest and the smallest, NaN if there is one. Equal ones share the gradient.
Tensor max(const Tensor& x, const Reduce& axes = {}, bool keepdim = false);
Tensor min(const Tensor& x, const Reduce& axes = {}, bool keepdim = false);
// ln Σ eˣ, computed as m + ln Σ e^(x - m) with m the largest, so that nothing overflows.
Tensor logsumexp(const Tensor& x, const Reduce& axes = {}, bool keepdim = false);

// Where the largest stands along one axis (the first, if there are several). Without gradient.
Indices argmax(const Tensor& x, int axis = -1);
Indices argmin(const Tensor& x, int axis = -1);

// The sum of x over the axes along which `shape` was broadcast to x's shape: the adjoint of expand.
Tensor sum_to(const Tensor& x, const Shape& shape);

}  // namespace heed
