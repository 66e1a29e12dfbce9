// Products of matrices, and the dense layer.
#pragma once

#include "autograd/tensor/tensor.h"

namespace heed {

// C = A B over the last two axes, [..., n, k] x [..., k, m] -> [..., n, m]; the axes before are a batch
// and broadcast. Transposed views cost nothing. Throws when the inner sizes differ.
Tensor matmul(const Tensor& a, const Tensor& b);

// For rules: adds A B to the gradient of an input of this shape, and sums it over the axes along which
// the input was broadcast. Not recorded.
struct GradientSum;
namespace matmul_detail {
void add_product(const Tensor& a, const Tensor& b, const Shape& shape, GradientSum sum);
}

Tensor dot(const Tensor& a, const Tensor& b);    // Σ aᵢ bᵢ of two vectors
Tensor outer(const Tensor& a, const Tensor& b);  // aᵢ bⱼ of two vectors [n] and [m], [n, m]

// y = x Wᵀ + b over the last axis of x, with W [out, in] and b [out] (or not defined): the dense layer
// as one fused kernel, [..., in] -> [..., out].
Tensor linear(const Tensor& x, const Tensor& weight, const Tensor& bias = {});
// The same in plain operations: what linear() computes, and its test.
Tensor linear_definition(const Tensor& x, const Tensor& weight, const Tensor& bias = {});

}  // namespace heed
