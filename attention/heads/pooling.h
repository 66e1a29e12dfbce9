// Pooling: a set of any size becomes one vector, or a few, by attention instead of by the mean.
//
//     eⱼ = uᵀ tanh(W xⱼ + b + C c)        α = softmax(e)        z = Σⱼ αⱼ xⱼ
//
// The query u is learned: what is worth keeping, asked of every item alike (Yang et al. 2016,
// equations 5 to 7). A context c, if there is one, says what to look for this time. With H queries
// there are H vectors, each for something else (Lin et al. 2017, section 2.1).
//
//     AttentionPooling pool({.width = 32}, rng);
//     auto [z, weights] = pool(words, {}, padding_mask(lengths, longest));
//     // z [B, 1, 32], weights [B, 1, K]
//
// Fixed scores instead of learned ones give the estimator of Nadaraya (1964) and Watson (1964),
// attention as statistics knew it: the mean of the values nearby.
//
// Shapes: B batch, K items, D their width, H queries. A set without an allowed item gives zeros.
#pragma once

#include "attention/heads/multi_head.h"
#include "attention/scores/soft.h"
#include "nn/layers/layers.h"

namespace heed {

struct PoolingOptions {
    int64_t width = 0;    // D, of the items
    int64_t hidden = 0;   // A, of tanh; 0: as wide as the items
    int64_t queries = 1;  // H
    int64_t context = 0;  // the width of the context; 0: there is none
    int64_t heads = 1;    // MultiHeadPooling only; must divide the width
};

struct AttentionPooling {
    Linear item;     // W, b [A, D]
    Linear context;  // C [A, Dc], or not defined
    Tensor query;    // u [H, A]

    AttentionPooling() = default;
    AttentionPooling(const PoolingOptions& options, Rng& rng);
    template <class F>
    void visit(F&& f) {
        f("item", item);
        f("context", context);
        f("query", query);
    }

    // items [B, K, D], context [B, Dc] or not defined, mask [B, 1, K] or broadcast to it
    // -> context z [B, H, D], weights [B, H, K]
    AttentionOutput operator()(const Tensor& items, const Tensor& context = {},
                        const Tensor& mask = {}) const;
    // e [B, H, K]
    Tensor scores(const Tensor& items, const Tensor& context = {}) const;
};

// Learned queries that read the set by multi-head attention: each head pools in a projection of its
// own (Lee et al. 2019, "Set Transformer", section 3.2).
struct MultiHeadPooling {
    Tensor query;  // [H, D]
    MultiHead attention;

    MultiHeadPooling() = default;
    MultiHeadPooling(const PoolingOptions& options, Rng& rng);
    template <class F>
    void visit(F&& f) {
        f("query", query);
        f("attention", attention);
    }

    // items [B, K, D] -> context [B, H, D], weights [B, heads, H, K] if wanted.
    AttentionOutput operator()(const Tensor& items, const Tensor& mask = {},
                        bool need_weights = false) const;
};

// -|q - k|² / 2h²: query [B, Q, D], key [B, K, D] -> [B, Q, K]. Throws unless the bandwidth h > 0.
Tensor gaussian_scores(const Tensor& query, const Tensor& key, double bandwidth);

// f(q) = Σⱼ G(q - kⱼ) vⱼ / Σⱼ G(q - kⱼ), G a Gaussian of deviation h: soft attention with the
// scores above, and nothing to learn. value [B, K, D'] -> context [B, Q, D'], weights [B, Q, K].
AttentionOutput nadaraya_watson(const Tensor& query, const Tensor& key, const Tensor& value,
                         double bandwidth, const Tensor& mask = {});

}  // namespace heed
