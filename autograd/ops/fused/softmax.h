// Softmax, masked softmax and log-softmax along one axis. Each is a fused kernel; `..._definition` is
// the same function in plain operations, which says what the kernel computes and is its test.
#pragma once

#include "autograd/tensor/tensor.h"

namespace heed {

// yᵢ = e^(xᵢ - m) / Σⱼ e^(xⱼ - m), m = max x        dL/dx = y (g - Σ g y)
Tensor softmax(const Tensor& x, Integer axis = -1);
Tensor softmax_definition(const Tensor& x, Integer axis = -1);

// The same over the elements where the mask (of any dtype, broadcast to x's shape) is not 0. The others
// have weight 0 and gradient 0, exactly, whatever the row holds, NaN included. A row in which the mask
// allows nothing gives zeros, not NaN. A row that is -∞ wherever the mask allows gives NaN there, as
// softmax does for a row of -∞: it is 0 / 0. The mask is a constant; leading axes of size 1 that x
// does not have are ignored.
Tensor masked_softmax(const Tensor& x, const Tensor& mask, Integer axis = -1);
Tensor masked_softmax_definition(const Tensor& x, const Tensor& mask, Integer axis = -1);

// yᵢ = (xᵢ - m) - ln Σⱼ e^(xⱼ - m)        dL/dx = g - e^y Σ g
Tensor log_softmax(const Tensor& x, Integer axis = -1);
Tensor log_softmax_definition(const Tensor& x, Integer axis = -1);

}  // namespace heed
