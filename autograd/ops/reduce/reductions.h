// Operations that reduce axes, such as sum, mean, norm, max and argmax. `axes` are counted from 0, or
// from the end with negative numbers; without axes all are reduced. The reduced axes are dropped; with
// keepdim they stay, with size 1. All throw for an axis that is not there or is named twice.
#pragma once

#include "autograd/tensor/indices.h"
#include "autograd/tensor/tensor.h"

namespace heed {

// One axis, several, or (empty) all of them.
struct AxesOrAll : Axes {
    AxesOrAll() = default;
    AxesOrAll(WholeNumber auto axis) : Axes({axis}) {}
    AxesOrAll(Integer axis) : Axes({axis}) {}
    AxesOrAll(OtherNumber auto) = delete;  // keepdim comes after the axes: sum(x, {}, true)
    AxesOrAll(std::initializer_list<Integer> axes) : Axes(axes) {}
};

Tensor sum(const Tensor& x, const AxesOrAll& axes = {}, Flag keepdim = false);
Tensor mean(const Tensor& x, const AxesOrAll& axes = {}, Flag keepdim = false);
// x minus its mean along the axes. Equal numbers give exact zeros, although their mean is rounded.
Tensor centred(const Tensor& x, const AxesOrAll& axes = {});
// The mean squared distance from the mean, over n - correction; correction 1 is the unbiased one.
Tensor var(const Tensor& x, const AxesOrAll& axes = {}, Flag keepdim = false,
           Integer correction = 1);
// The standard deviation, √var; where it is 0 its derivatives of every order are 0. (The name std is
// the standard library's: a program with `using namespace heed` could not call it.)
Tensor stddev(const Tensor& x, const AxesOrAll& axes = {}, Flag keepdim = false,
              Integer correction = 1);
// (Σ |x|ᵖ)^(1/p), p >= 1 or infinity (then max |x|). Where the norm is 0, or an element of it for p < 2,
// its derivatives of every order are 0.
Tensor norm(const Tensor& x, double p = 2, const AxesOrAll& axes = {}, Flag keepdim = false);
// The product. Its gradient is right for zeros among the factors, too.
Tensor prod(const Tensor& x, const AxesOrAll& axes = {}, Flag keepdim = false);
// The largest and the smallest, NaN if there is one. Equal ones share the gradient, and so do several
// NaNs. Throws if there is nothing to choose from; a batch of no rows gives no results, as with sum().
Tensor max(const Tensor& x, const AxesOrAll& axes = {}, Flag keepdim = false);
Tensor min(const Tensor& x, const AxesOrAll& axes = {}, Flag keepdim = false);
// ln Σ eˣ, computed as m + ln Σ e^(x - m) with m the largest, so that nothing overflows.
Tensor logsumexp(const Tensor& x, const AxesOrAll& axes = {}, Flag keepdim = false);

// 1 if any number of the mask, or all of them, are not 0, else 0. Constants.
//
//     if (any(isnan(loss)).item()) ...
Tensor any(const Tensor& mask, const AxesOrAll& axes = {}, Flag keepdim = false);
Tensor all(const Tensor& mask, const AxesOrAll& axes = {}, Flag keepdim = false);

// Whether |a - b| <= absolute + relative |b| for every element. Equal infinities are close; NaN is
// close to NaN only with equal_nan. Throws when the shapes do not broadcast.
bool allclose(const Tensor& a, const Tensor& b, double relative = 1e-5, double absolute = 1e-8,
              Flag equal_nan = false);

// The index of the largest or smallest along one axis: the first, if several are equal. NaN counts as
// larger and as smaller than any number, so it is found if there is one. Without gradient. See sort.h
// for values with their indices.
Indices argmax(const Tensor& x, Integer axis = -1);
Indices argmin(const Tensor& x, Integer axis = -1);

// The sum of x over the axes along which `shape` was broadcast to x's shape: the adjoint of expand.
Tensor sum_to(const Tensor& x, const Shape& shape);

}  // namespace heed
