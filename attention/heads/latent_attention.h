// Self-attention with one narrow latent in place of keys and values (multi-head latent attention, MLA:
// DeepSeek-V2, 2024, sections 2.1.2 and 2.1.3). For token t, with head i of H:
//
//     cₜ = A xₜ                                   the latent, C numbers
//     kᵢₜ = Kᵢ cₜ,   vᵢₜ = Vᵢ cₜ                  its keys and values
//     rₜ = rotary(B xₜ)                           a rotary key, R numbers, the same for all heads
//     score of j for t = (qᵢₜ · kᵢⱼ + rotary(qᴿᵢₜ) · rⱼ) / √(W + R)
//
// A cache holds cₜ and rₜ, C + R numbers for each token and no more heads than one. With it, keys and
// values are never computed. Their matrices are absorbed by the query and by the context:
//
//     q · K c = (Kᵀ q) · c            Σⱼ wⱼ V cⱼ = V Σⱼ wⱼ cⱼ
//
// so that it is attention of H queries to one shared key (c, r) with the value c. A key that is rotated
// cannot be absorbed, since the rotation stands between Kᵀ and q; so positions are in the other key, r.
//
//     LatentAttention attention({.width = 64, .heads = 4, .latent = 24, .rotary_width = 8}, rng);
//     Tensor y = attention(x, {.causal = true});                      // [B, T, 64], all at once
//     KeyValueCache cache;                                            // or one token at a time:
//     for (const Tensor& token : tokens) attention(token, {.causal = true, .cache = &cache});
//
// A stack has it as an option, {.latent = 24} (transformer/layers.h).
//
// Left out: the second latent, of the queries, which saves no cache; norms of the latents; biases.
#pragma once

#include "attention/fused/attention_call.h"
#include "attention/heads/positions.h"
#include "nn/layers/layers.h"

namespace heed {

struct LatentAttentionOptions {
    int64_t width = 0;         // of x and of the result, D
    int64_t heads = 1;         // H; must divide the width
    int64_t latent = 0;        // C
    int64_t rotary_width = 0;  // R, even
    // Of the rotary keys and queries: positions.h.
    RotaryLayout layout = RotaryLayout::pairs;
    double base = 10000;
    double interpolation = 1;
    double dropout = 0;  // the rate at which weights are dropped in training
};

struct LatentAttention {
    Linear query, rotary_query;  // [D, D], [H R, D]
    Linear down;                 // A [C, D]
    Linear rotary_key;           // B [R, D]
    Linear key, value;           // K, V [D, C]
    Linear output;               // [D, D]
    int64_t heads = 1;
    RotaryLayout layout = RotaryLayout::pairs;
    double base = 10000, interpolation = 1, dropout = 0;

    LatentAttention() = default;
    // Throws unless the heads divide the width, and for a latent of no numbers or an odd rotary width.
    LatentAttention(const LatentAttentionOptions& options, Rng& rng);
    template <class F>
    void visit(F&& f) {
        f("query", query);
        f("rotary_query", rotary_query);
        f("down", down);
        f("rotary_key", rotary_key);
        f("key", key);
        f("value", value);
        f("output", output);
    }

    // x [B, T, D] -> [B, T, D]. With a cache, x are the newest T of K tokens, and the matrices are
    // absorbed. An entry of the cache has the latents [B, 1, K, C] as its key and the rotary keys
    // [B, 1, K, R] as its value. Its value for hooks: "latent", c of the tokens of x [B, T, C].
    Tensor operator()(const Tensor& x, const AttentionCall& call = {}) const;
    // The same numbers with absorbed matrices, with or without a cache.
    Tensor absorbed(const Tensor& x, const AttentionCall& call = {}) const;
};

}  // namespace heed
