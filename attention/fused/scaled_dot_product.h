// Scaled dot-product attention over many heads at once (Vaswani et al. 2017, section 3.2.1):
//
//     attention(q, k, v) = softmax(q kᵀ / √D + bias) v
//
//     Tensor context = scaled_dot_product_attention(q, k, v, {.causal = true});   // [B, H, Q, D']
//
// Two forms: the operation, which gives the context and need not build the weights [B, H, Q, K];
// and the definition, composed of plain operations, which gives both.
#pragma once

#include "attention/scores/soft.h"

namespace heed {

struct ScaledDotProductOptions {
    Tensor mask = {};     // 0 or 1, broadcast to [B, H, Q, K]; not defined: all allowed
    Tensor bias = {};     // added to the scaled scores, broadcast to them; not defined: none
    bool causal = false;  // query i, standing at K - Q + i, sees no later key
    double scale = 0;     // of the scores; 0 stands for 1 / √D
};

// q [B, H, Q, D], k [B, H, K, D], v [B, H, K, D'] -> [B, H, Q, D']. A query that may attend to
// nothing gets 0. Throws when sizes do not fit, with all three shapes.
Tensor scaled_dot_product_attention(const Tensor& q, const Tensor& k, const Tensor& v,
                                    const ScaledDotProductOptions& options = {});

// The same, and the weights [B, H, Q, K].
AttentionOutput scaled_dot_product_definition(const Tensor& q, const Tensor& k, const Tensor& v,
                                       const ScaledDotProductOptions& options = {});

}  // namespace heed
