// Tensors joined, padded, rolled and repeated. Each copies.
#pragma once

#include <vector>

#include "autograd/tensor/tensor.h"

namespace heed {

Tensor concat(const std::vector<Tensor>& parts, Integer axis);     // joined along an axis of all
Tensor stack(const std::vector<Tensor>& parts, Integer axis = 0);  // joined along a new axis
// `before` and `after` more elements along the axis, all of the given value.
Tensor pad(const Tensor& x, Integer axis, Integer before, Integer after, double value = 0);
Tensor roll(const Tensor& x, Integer shift, Integer axis);  // y[i + shift] = x[i], around the end

// All of x, counts[i] times along axis i; further counts at the front make new axes. (PyTorch's
// repeat, NumPy's tile.)
Tensor repeat(const Tensor& x, const Axes& counts);
// Each element of the axis `count` times in a row: a a b b c c. (NumPy's repeat.)
Tensor repeat_interleave(const Tensor& x, Integer count, Integer axis);

}  // namespace heed
