// Softmax and its relatives along one axis, each a fused kernel beside the same thing composed of
// plain operations (`..._definition`): its documentation and its test.
#pragma once

#include "autograd/tensor/tensor.h"

namespace heed {

// yᵢ = e^(xᵢ - m) / Σⱼ e^(xⱼ - m), m = max x        dL/dx = y (g - Σ g y)
Tensor softmax(const Tensor& x, int axis = -1);
Tensor softmax_definition(const Tensor& x, int axis = -1);

// The same over the places where the mask (0 or 1, broadcast to x's shape) is 1. All others have
// weight 0 and gradient 0, exactly, whatever x holds there, NaN included. A row without any allowed
// place gives zeros, not NaN. The mask is a constant.
Tensor masked_softmax(const Tensor& x, const Tensor& mask, int axis = -1);
Tensor masked_softmax_definition(const Tensor& x, const Tensor& mask, int axis = -1);

// yᵢ = xᵢ - ln Σⱼ e^xⱼ        dL/dx = g - e^y Σ g
Tensor log_softmax(const Tensor& x, int axis = -1);
Tensor log_softmax_definition(const Tensor& x, int axis = -1);

}  // namespace heed
