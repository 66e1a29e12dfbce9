// The kernels of scaled_dot_product_attention: plain_attention() and plain_attention_backward()
// without storing the scores [Q, K] of a head. Backward computes them again, tile by tile (Dao et
// al. 2022, "FlashAttention", algorithms 1 and 4; the running softmax is by Milakov and Gimelshein
// 2018). How the work is cut into tiles, and why that is fast, is explained in tiles.h.
#pragma once

#include "attention/fused/plain_attention.h"

namespace heed {

// As plain_attention().
AttentionForward tiled_attention(const Tensor& q, const Tensor& k, const Tensor& v,
                                 const AttentionCall& call);

// As plain_attention_backward(). In storage the gradients are [B, T, H, D].
std::array<Tensor, 3> tiled_attention_backward(const Tensor& g, const Tensor& q, const Tensor& k,
                                               const Tensor& v, const AttentionForward& forward,
                                               const AttentionCall& call);

}  // namespace heed
