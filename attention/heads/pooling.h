// Attention pooling: a set of any size becomes one vector, or a few, by a weighted mean with
// learned weights.
//
//     eⱼ = uᵀ tanh(W xⱼ + b + C c)        α = softmax(e)        z = Σⱼ αⱼ xⱼ
//
// The query u is learned and the same for every set (Yang et al. 2016, equations 5 to 7). A context
// vector c, if there is one, makes the weights depend on the task at hand. H queries give H vectors
// (Lin et al. 2017, section 2.1).
//
//     AttentionPooling pool({.width = 32}, rng);
//     auto [z, weights] = pool(words, {}, padding_mask(lengths, longest));
//     // z [B, 1, 32], weights [B, 1, K]
//
// With a fixed Gaussian score in place of the learned one, attention is the regression of Nadaraya
// (1964) and Watson (1964).
//
// Shapes: B batch, K items, D their width, H queries. A set without an allowed item gives zeros.
// Pooling with residual connections and a feed-forward network: transformer/set_transformer.h.
#pragma once

#include "attention/heads/multi_head.h"
#include "attention/scores/soft.h"
#include "nn/layers/layers.h"

namespace heed {

struct PoolingOptions {
    int64_t width = 0;    // D, of the items
    int64_t hidden = 0;   // A, of tanh; 0: D
    int64_t queries = 1;  // H
    int64_t context = 0;  // the width of the context vector; 0: none
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
    // -> context z [B, H, D], weights [B, H, K]. Throws when shapes do not fit, and when the
    // context vector is missing or was not announced in the options.
    AttentionOutput operator()(const Tensor& items, const Tensor& context = {},
                               const Tensor& mask = {}) const;
    // e [B, H, K]
    Tensor scores(const Tensor& items, const Tensor& context = {}) const;
};

// Learned queries with multi-head attention to the set (Lee et al. 2019, "Set Transformer", section
// 3.2, without the feed-forward network).
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

    // items [B, K, D] -> context [B, H, D], weights [B, heads, H, K] if the call wants them.
    Tensor operator()(const Tensor& items, const AttentionCall& call = {}) const;
};

// -|q - k|² / 2h²: query [B, Q, D], key [B, K, D] -> [B, Q, K]. Throws unless the bandwidth h > 0,
// and when shapes do not fit.
Tensor gaussian_scores(const Tensor& query, const Tensor& key, double bandwidth);

// f(q) = Σⱼ G(q - kⱼ) vⱼ / Σⱼ G(q - kⱼ), G a Gaussian of standard deviation h: soft attention with
// gaussian_scores(). value [B, K, D'] -> context [B, Q, D'], weights [B, Q, K].
AttentionOutput nadaraya_watson(const Tensor& query, const Tensor& key, const Tensor& value,
                                double bandwidth, const Tensor& mask = {});

}  // namespace heed
