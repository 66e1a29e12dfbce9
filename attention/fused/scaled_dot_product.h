// Scaled dot-product attention of many heads at once (Vaswani et al. 2017, section 3.2.1):
//
//     attention(q, k, v) = dropout(softmax(scale q kᵀ + bias)) v,    scale = 1 / √D
//
//     Tensor context = scaled_dot_product_attention(q, k, v, {.causal = true});   // [B, H, Q, D']
//
// With grouped queries (Ainslie et al. 2023, section 2.2) keys and values have G heads for the H of the
// queries: query heads h H/G, ..., (h + 1) H/G - 1 share head h of the keys. Nothing is copied for it. One
// head of keys, G = 1, is multi-query attention (Shazeer 2019, section 3).
//
// It exists three times. scaled_dot_product_definition() is composed of plain operations and
// returns the weights too. plain_attention() is the same as plain loops.
// scaled_dot_product_attention() is the fast one: it computes scores tile by tile and never stores
// the weights [B, H, Q, K].
#pragma once

#include <functional>

#include "attention/fused/attention_call.h"

namespace heed {

// q [B, H, Q, D], k [B, G, K, D], v [B, G, K, D'] -> [B, H, Q, D']. The context of a query that may
// attend to no key is 0. One that may attend to keys, all of them with a bias of -∞, has the context
// NaN (0 / 0): what may be attended to is for the mask to say. NaN, infinities and scores that
// overflow show in the context and the gradients as in the definition, but never across a pair that the
// mask excludes: masked means not read. Throws when sizes do not fit, naming all three shapes; unless G
// divides H; when mask
// or bias do not broadcast; when there are more causal queries than keys; if the scale is not finite;
// unless 0 <= dropout < 1; and for positions, a cache or a memory, which only layers have.
Tensor scaled_dot_product_attention(const Tensor& q, const Tensor& k, const Tensor& v,
                                    const AttentionCall& call = {});

// The same, and the weights [B, H, Q, K] before dropout.
//
// The steps on the way can be seen and changed: each("scores", x), each("weights", x) and, after
// dropout, each("kept", x), all [B, H, Q, K], return what is used in place of x.
using EachStep = std::function<Tensor(const char* name, const Tensor& x)>;
AttentionOutput scaled_dot_product_definition(const Tensor& q, const Tensor& k, const Tensor& v,
                                              const AttentionCall& call = {},
                                              const EachStep& each = {});

// What dropout multiplies the weights [B, H, Q, K] by: 0 with the given probability, otherwise
// 1 / (1 - probability). An element depends only on the seed and its index.
Tensor attention_dropout_mask(const Shape& weights, double probability, uint64_t seed,
                              Dtype dtype = Dtype::float32);

}  // namespace heed
