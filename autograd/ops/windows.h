// Windows: equally spaced places along one axis of a tensor. Slices are seen through one, and what
// is joined is put into one.
#pragma once

#include "autograd/tensor/tensor.h"

namespace heed {

// Elements begin, begin + step, ... (`count` of them) along the axis.
struct Window {
    int axis;
    int64_t begin, count, step;
};

// The elements of x in the window: a view, not recorded.
Tensor look_through(const Tensor& x, const Window& window);
// The same, recorded; and its adjoint, zeros(shape) with x in the window.
Tensor window_of(const Tensor& x, const Window& window);
Tensor put_in_window(const Tensor& x, const Shape& shape, const Window& window);

// Writes the numbers of x into a view of its shape, or adds them to those there. Recorded nowhere:
// for tensors that are being made.
void copy_to_view(const Tensor& to, const Tensor& x);
void add_to_view(const Tensor& to, const Tensor& x);

}  // namespace heed
