// Multi-head attention (Vaswani et al. 2017, section 3.2.2): H attentions side by side, each on its
// own projections of queries, keys and values. Their contexts are joined and projected once more.
//
//     MultiHead attention({.width = 64, .heads = 4}, rng);
//     Tensor y = attention(x, x, x, {.causal = true});                // [B, T, 64]
//     Tensor z = attention(x, source, source, {.mask = padding});
//     auto [same, weights] = with_weights(attention, x, source, source, {.mask = padding});
//
// With grouped queries (Ainslie et al. 2023, section 2.2) keys and values have G heads only, so that a
// cache of them is H / G times as small; H / G heads of queries share each:
//
//     MultiHead grouped({.width = 64, .heads = 8, .key_value_heads = 2}, rng);
//
// It is self-attention if query, key and value are the same sequence, and cross-attention if keys
// and values come from another one.
#pragma once

#include "attention/fused/scaled_dot_product.h"
#include "nn/layers/layers.h"

namespace heed {

struct MultiHeadOptions {
    int64_t width = 0;            // of all projections and of the result, D
    int64_t heads = 1;            // H; must divide the width
    int64_t key_value_heads = 0;  // G; must divide the heads; 0: H. 1: multi-query attention
    int64_t query_width = 0;      // of queries, Dq; 0: D
    int64_t key_width = 0;        // of keys, Dk; 0: D
    int64_t value_width = 0;      // of values, Dv; 0: D
    bool bias = true;             // of the projections of query, key and value
    bool output_bias = true;      // of the output's (PyTorch has one option for all four)
    double scale = 0;             // of the scores; 0: 1 / √(D / H)
    double dropout = 0;           // the rate at which weights are dropped in training
};

struct MultiHead {
    Linear query, key, value;                // [D, Dq], [G W, Dk], [G W, Dv], W = D / H
    Linear output;                           // [D, D]
    int64_t heads = 1, key_value_heads = 0;  // H, G; 0: H
    double scale = 0, dropout = 0;

    MultiHead() = default;
    // Throws unless the heads divide the width, and the heads of keys those of queries.
    MultiHead(const MultiHeadOptions& options, Rng& rng);
    template <class F>
    void visit(F&& f) {
        f("query", query);
        f("key", key);
        f("value", value);
        f("output", output);
    }

    // q [B, Q, Dq], k [B, K, Dk], v [B, K, Dv] -> [B, Q, D]. Throws when shapes do not fit, and with
    // dropout unless the mode is given. Its values for hooks: "q" [B, H, Q, W], "k", "v" [B, G, K, W], "scores",
    // "weights", "kept" (the weights after dropout) [B, H, Q, K] and "heads" [B, H, Q, W], the contexts.
    Tensor operator()(const Tensor& q, const Tensor& k, const Tensor& v,
                      const AttentionCall& call = {}) const;

    // The steps of it one by one, for a cache of keys and values and for rotary positions.
    Tensor split_heads(const Tensor& x) const;   // queries [B, T, D] -> [B, H, T, W]
    Tensor split_groups(const Tensor& x) const;  // keys or values [B, T, G W] -> [B, G, T, W]
    Tensor join_heads(const Tensor& x) const;    // [B, H, T, W] -> [B, T, D]
    // The attention of split heads: q [B, H, Q, W], k [B, G, K, W], v [B, G, K, Wv] -> the context of
    // each head [B, H, Q, Wv]. If `kept` is not null, the weights after dropout are put there.
    Tensor contexts(const Tensor& q, const Tensor& k, const Tensor& v,
                    const AttentionCall& call = {}, Tensor* kept = nullptr) const;
    // The same, joined and projected: [B, Q, D].
    Tensor attend(const Tensor& q, const Tensor& k, const Tensor& v,
                  const AttentionCall& call = {}) const;

    // The mask as it broadcasts to scores [B, H, Q, K] of split heads q and k: [B, Q, K] becomes
    // [B, 1, Q, K], others stay as they are.
    static Tensor mask_of_heads(const Tensor& mask, const Tensor& q, const Tensor& k);
};

}  // namespace heed
