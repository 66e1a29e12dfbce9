// Other shapes and other orders of the axes. Those marked [view] copy nothing: the result reads the
// memory of x with other strides, in constant time. Axes may be counted from the end (-1 is the last).
#pragma once

#include "autograd/tensor/tensor.h"

namespace heed {

// The same elements in row-major order under another shape; one size may be -1 and is then computed.
// [view] where the strides allow it, else a copy.
Tensor reshape(const Tensor& x, Shape shape);
Tensor flatten(const Tensor& x, Integer first_axis = 0, Integer last_axis = -1);  // merges axes
Tensor unflatten(const Tensor& x, Integer axis, const Shape& sizes);  // the opposite; one may be -1

Tensor transpose(const Tensor& x, Integer a = -2, Integer b = -1);  // [view] exchanges two axes
Tensor permute(const Tensor& x, const Axes& order);  // [view] axis i of y is axis order[i] of x
Tensor expand(const Tensor& x, const Shape& shape);  // [view] repeats along axes of size 1
Tensor squeeze(const Tensor& x, Integer axis);       // [view] drops an axis of size 1
Tensor unsqueeze(const Tensor& x, Integer axis);     // [view] inserts an axis of size 1
Tensor flip(const Tensor& x, Integer axis);          // [view] in the opposite order

}  // namespace heed
