// Operations that move elements about. Those marked [view] copy nothing: the result looks at the
// memory of x with other strides, in constant time. Axes may be counted from the end (-1 the last).
#pragma once

#include <vector>

#include "autograd/ops/copies.h"
#include "autograd/tensor/tensor.h"

namespace heed {

// The same elements in row-major order under another shape; one size may be -1 and is then computed.
// [view] where the strides allow it, else a copy.
Tensor reshape(const Tensor& x, Shape shape);
Tensor flatten(const Tensor& x, int first_axis = 0, int last_axis = -1);  // merges these axes

Tensor transpose(const Tensor& x, int a = -2, int b = -1);  // [view] exchanges two axes
Tensor permute(const Tensor& x, const Axes& order);         // [view] axis i of y is axis order[i] of x
Tensor slice(const Tensor& x, int axis, int64_t begin, int64_t end, int64_t step = 1);  // [view]
Tensor select(const Tensor& x, int axis, int64_t index);    // [view] one index; the axis goes away
Tensor expand(const Tensor& x, const Shape& shape);         // [view] repeats along axes of size 1
Tensor squeeze(const Tensor& x, int axis);                  // [view] drops an axis of size 1
Tensor unsqueeze(const Tensor& x, int axis);                // [view] puts in an axis of size 1
// [view] views of length `size` along the axis, side by side; the sizes must add up.
std::vector<Tensor> split(const Tensor& x, int axis, const std::vector<int64_t>& sizes);
std::vector<Tensor> split(const Tensor& x, int axis, int64_t equal_parts);
std::vector<Tensor> unbind(const Tensor& x, int axis);      // [view] select() of every index

Tensor concat(const std::vector<Tensor>& parts, int axis);  // joined along an axis they all have
Tensor stack(const std::vector<Tensor>& parts, int axis = 0);  // joined along a new axis
Tensor flip(const Tensor& x, int axis);
// `before` and `after` more elements along the axis, all of the given value.
Tensor pad(const Tensor& x, int axis, int64_t before, int64_t after, double value = 0);

}  // namespace heed
