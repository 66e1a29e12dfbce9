// Products of matrices.
#pragma once

#include "autograd/tensor/tensor.h"

namespace heed {

// C = A B over the last two axes, [..., n, k] x [..., k, m] -> [..., n, m]; the axes before are a batch
// and broadcast. Transposed views cost nothing. Throws when the inner sizes differ.
Tensor matmul(const Tensor& a, const Tensor& b);

// y = x Wᵀ + b over the last axis of x, with W [out, in] and b [out] (or not defined): the dense layer
// as one fused kernel, [..., in] -> [..., out].
Tensor linear(const Tensor& x, const Tensor& weight, const Tensor& bias = {});
// The same of plain operations: what linear() means, and what it is tested against.
Tensor linear_definition(const Tensor& x, const Tensor& weight, const Tensor& bias = {});

}  // namespace heed
