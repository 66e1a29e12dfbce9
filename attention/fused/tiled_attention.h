// The kernels behind scaled_dot_product_attention: forward and backward without ever holding the
// scores [Q, K] of a head. What they need of them they compute again, tile by tile (Dao et al.
// 2022, "FlashAttention", algorithms 1 and 4; the running softmax is Milakov and Gimelshein 2018).
// How, and why it is fast, stands in tiles.h.
#pragma once

#include <array>

#include "attention/fused/scaled_dot_product.h"

namespace heed {

// What the forward pass leaves. Rows lie as [B, Q, H, D'] in memory, so that joining the heads
// afterwards copies nothing.
struct TiledContext {
    Tensor context;  // [B, Q, H, D']
    Tensor log_sum;  // [B, H, Q]: ln Σ e^score over the allowed keys, +∞ where there is none
};

// q [B, H, Q, D], k [B, H, K, D], v [B, H, K, D'] of one dtype, with options whose mask and bias
// fit and whose scale is set.
TiledContext tiled_attention(const Tensor& q, const Tensor& k, const Tensor& v,
                             const ScaledDotProductOptions& options);

// The gradients of q, k and v, from the gradient g [B, Q, H, D'] of the context. They lie in memory
// as [B, T, H, D] and have the shapes of q, k and v.
std::array<Tensor, 3> tiled_attention_backward(const Tensor& g, const Tensor& q, const Tensor& k,
                                               const Tensor& v, const TiledContext& kept,
                                               const ScaledDotProductOptions& options);

}  // namespace heed
