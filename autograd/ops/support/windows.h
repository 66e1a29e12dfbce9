// A window: equally spaced elements along one axis of a tensor. slice() reads a tensor through a
// window, concat() and pad() write into one.
#pragma once

#include "autograd/tensor/tensor.h"

namespace heed {

// Elements begin, begin + step, ... (`count` of them) along the axis.
struct Window {
    int axis = 0;
    int64_t begin = 0, count = 0, step = 0;
};

// The elements of x in the window: a view, not recorded.
Tensor window_view(const Tensor& x, const Window& window);
// The same, recorded; and its adjoint, zeros(shape) with x in the window.
Tensor window_of(const Tensor& x, const Window& window);
Tensor put_in_window(const Tensor& x, const Shape& shape, const Window& window);

// Copies the numbers of x into a view of the same shape, or adds them to the numbers there. Not
// recorded: for tensors that an operation is about to return.
void copy_to_view(const Tensor& to, const Tensor& x);
void add_to_view(const Tensor& to, const Tensor& x);

}  // namespace heed
