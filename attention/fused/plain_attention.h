// Scaled dot-product attention as plain loops, forward and backward: what to read before the tiled
// kernels of tiled_attention.h, and what those are tested against. It is slow; call
// scaled_dot_product_attention().
#pragma once

#include <array>

#include "attention/fused/scaled_dot_product.h"

namespace heed {

// The result of the forward pass. In storage the context is [B, Q, H, D'], so that joining the
// heads afterwards copies nothing.
struct AttentionForward {
    Tensor context;  // [B, Q, H, D']
    Tensor log_sum;  // [B, H, Q]: ln Σ e^score over the allowed keys, +∞ if there is none
};

// q [B, H, Q, D], k [B, H, K, D], v [B, H, K, D'] of one dtype. The scale of the options must be
// set, and mask and bias must broadcast to the scores: scaled_dot_product_attention() checks that.
AttentionForward plain_attention(const Tensor& q, const Tensor& k, const Tensor& v,
                                 const ScaledDotProductOptions& options);

// The gradients of q, k and v, in their shapes, from the gradient g [B, Q, H, D'] of the context.
std::array<Tensor, 3> plain_attention_backward(const Tensor& g, const Tensor& q, const Tensor& k,
                                               const Tensor& v, const AttentionForward& forward,
                                               const ScaledDotProductOptions& options);

}  // namespace heed
