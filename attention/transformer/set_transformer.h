// The blocks of the Set Transformer (Lee, Lee, Kim, Kosiorek, Choi, Teh 2019, section 3): attention
// between the elements of a set, with residual connections and feed-forward networks.
//
//     MAB(X, Y) = norm(H + FF(H)),  H = norm(X + MultiHead(X, Y, Y))    equations 6 and 7
//     SAB(X)    = MAB(X, X)                                             equation 8
//     ISAB(X)   = MAB(X, MAB(I, X)),  I learned: M inducing points      equations 9 and 10
//     PMA(X)    = MAB(S, FF(X)),  S learned: k seed vectors             equation 11
//
//     InducedSetAttentionBlock encoder({.width = 32, .heads = 4, .inducing_points = 8}, rng);
//     AttentionPoolingBlock pool({.width = 32, .heads = 4, .seeds = 1}, rng);
//     const Tensor mask = padding_mask(lengths, items.size(1));
//     Tensor z = pool(encoder(items, mask), mask);    // [B, K, 32] -> [B, 1, 32]
//
// The paper gives a set of K elements cost K² (SAB) or K M (ISAB). Permuting the elements permutes
// the outputs of SAB and ISAB in the same way, and does not change that of PMA. Elements that the
// mask [B, 1, K] excludes change no output but their own.
#pragma once

#include "attention/heads/multi_head.h"
#include "attention/transformer/layers.h"

namespace heed {

struct SetTransformerOptions {
    int64_t width = 0;  // D, of elements and outputs
    int64_t heads = 1;
    int64_t hidden = 0;            // of the feed-forward networks; 0: as wide as the elements
    int64_t inducing_points = 16;  // M, of InducedSetAttentionBlock
    int64_t seeds = 1;             // k, of AttentionPoolingBlock
    bool layer_norm = true;
    Activation activation = Activation::relu;
    double dropout = 0;  // of attention weights, hidden units and outputs of both sublayers
};

// MAB: x attends to y. x [B, Q, D], y [B, K, D] -> [B, Q, D].
struct MultiHeadAttentionBlock {
    MultiHead attention;
    LayerNorm attention_norm, feed_forward_norm;  // not defined without layer_norm
    FeedForward feed_forward;
    Dropout dropout;

    MultiHeadAttentionBlock() = default;
    MultiHeadAttentionBlock(const SetTransformerOptions& options, Rng& rng);
    template <class F>
    void visit(F&& f) {
        f("attention", attention);
        f("attention_norm", attention_norm);
        f("feed_forward", feed_forward);
        f("feed_forward_norm", feed_forward_norm);
    }

    // mask [B, 1, K] or broadcast to [B, Q, K]; with a generator there is dropout. Throws when
    // shapes do not fit.
    Tensor operator()(const Tensor& x, const Tensor& y, const Tensor& mask = {},
                      Mode mode = {}) const;
};

// SAB: every element attends to all elements. x [B, K, D] -> [B, K, D].
struct SetAttentionBlock {
    MultiHeadAttentionBlock block;

    SetAttentionBlock() = default;
    SetAttentionBlock(const SetTransformerOptions& options, Rng& rng);
    template <class F>
    void visit(F&& f) {
        block.visit(f);
    }
    Tensor operator()(const Tensor& x, const Tensor& mask = {}, Mode mode = {}) const;
};

// ISAB: M learned points attend to the elements, and the elements to these points.
// x [B, K, D] -> [B, K, D].
struct InducedSetAttentionBlock {
    Tensor inducing_points;  // I [M, D]
    MultiHeadAttentionBlock to_points, to_elements;

    InducedSetAttentionBlock() = default;
    InducedSetAttentionBlock(const SetTransformerOptions& options, Rng& rng);
    template <class F>
    void visit(F&& f) {
        f("inducing_points", inducing_points);
        f("to_points", to_points);
        f("to_elements", to_elements);
    }
    Tensor operator()(const Tensor& x, const Tensor& mask = {}, Mode mode = {}) const;
};

// PMA: k learned seed vectors attend to the elements. x [B, K, D] -> [B, k, D].
struct AttentionPoolingBlock {
    Tensor seeds;  // S [k, D]
    FeedForward feed_forward;
    MultiHeadAttentionBlock block;

    AttentionPoolingBlock() = default;
    AttentionPoolingBlock(const SetTransformerOptions& options, Rng& rng);
    template <class F>
    void visit(F&& f) {
        f("seeds", seeds);
        f("feed_forward", feed_forward);
        f("block", block);
    }
    Tensor operator()(const Tensor& x, const Tensor& mask = {}, Mode mode = {}) const;
};

}  // namespace heed
