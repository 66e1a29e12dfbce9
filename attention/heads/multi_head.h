// Multi-head attention (Vaswani et al. 2017, section 3.2.2): H attentions side by side, each in a
// projection of its own, their contexts joined and projected once more.
//
//     MultiHead attention({.width = 64, .heads = 4}, rng);
//     Tensor y = attention(x, x, x, {.causal = true}).context;    // [B, T, 64]
//     auto [z, weights] = attention(x, source, source, {.mask = padding, .need_weights = true});
//
// Self-attention is all three the same, cross-attention the query from elsewhere. Weights cost
// memory [B, H, Q, K] and are made only when asked for.
#pragma once

#include "attention/fused/scaled_dot_product.h"
#include "nn/layers/layers.h"

namespace heed {

struct MultiHeadOptions {
    int64_t width = 0;      // of queries and results
    int64_t heads = 1;      // must divide the width
    int64_t key_width = 0;  // of keys and values if they come from elsewhere; 0: as wide as queries
    int64_t value_width = 0;
    bool bias = true;
};

struct MultiHeadCall {
    Tensor mask = {};  // [Q, K], [B, 1, K], [B, Q, K] or [B, H, Q, K]; not defined: none
    Tensor bias = {};  // added to the scores, broadcast to [B, H, Q, K]
    bool causal = false;
    bool need_weights = false;  // else AttentionOutput::weights is not defined
    double dropout = 0;         // of the weights, in training
    Mode mode = {};             // must be given with dropout
};

struct MultiHead {
    Linear query, key, value;  // [D, D], [D, Dk], [D, Dv]
    Linear output;             // [D, D]
    int64_t heads = 1;

    MultiHead() = default;
    MultiHead(const MultiHeadOptions& options, Rng& rng);
    template <class F>
    void visit(F&& f) {
        f("query", query);
        f("key", key);
        f("value", value);
        f("output", output);
    }

    // query [B, Q, D], key [B, K, Dk], value [B, K, Dv] -> context [B, Q, D], weights [B, H, Q, K].
    AttentionOutput operator()(const Tensor& q, const Tensor& k, const Tensor& v,
                        const MultiHeadCall& call = {}) const;

    // The same in parts, for a cache of keys and values, and for positions that turn queries and
    // keys: [B, T, D] <-> [B, H, T, D / H], and the attention between.
    Tensor split_heads(const Tensor& x) const;
    Tensor join_heads(const Tensor& x) const;
    AttentionOutput attend(const Tensor& q, const Tensor& k, const Tensor& v,
                    const MultiHeadCall& call = {}) const;  // on split heads; context [B, Q, D]
    // A mask [B, Q, K] is the same for all heads, [B, 1, Q, K]; others broadcast as they are.
    static Tensor mask_of_heads(const Tensor& mask, const Tensor& q, const Tensor& k);
};

}  // namespace heed
