// Attention along the edges of a graph: each node attends to its neighbours. Scores and weights are
// numbers on edges, [E, H], so the cost grows with the edges and not with the square of the nodes.
//
//     SparseGraph graph(3, {1, 2}, {0, 0}, {.both_directions = true, .self_loops = true});
//     GraphAttention layer({.width = 1433, .head_width = 8, .heads = 8}, rng);
//     Tensor h = elu(layer(x, graph).context);    // [N, 1433] -> [N, 64]
//
// Two layers, which differ in the score of a target i and a source j:
//
//     GraphAttention     e = LeakyReLU(aᵗ · W xᵢ + aˢ · W xⱼ)    Velickovic et al. 2018, equations 1, 3
//     GraphAttentionV2   e = a · LeakyReLU(Wᵗ xᵢ + Wˢ xⱼ)        Brody, Alon, Yahav 2022, equation 7
//
//     weights α = softmax of e over the sources j of the edges that arrive at i
//     context of i = Σⱼ α vⱼ,   vⱼ = W xⱼ or Wˢ xⱼ
//
// for every head, whose contexts are joined or averaged (Velickovic et al. 2018, equations 5 and 6).
// LeakyReLU is monotonic, so in GraphAttention the order of a node's neighbours by weight is the order
// of aˢ · W xⱼ, which is the same for all targets ("static attention"); GraphAttentionV2 can rank them
// differently for each target ("dynamic attention", Brody et al. 2022, section 3).
//
// A node at which no edge arrives has context 0, and output = bias. Nodes that no edge connects to a
// node do not change its output; not even NaN in them does.
#pragma once

#include "attention/graph/sparse_graph.h"
#include "attention/scores/soft.h"
#include "nn/layers/layers.h"

namespace heed {

// Soft attention along edges: scores [E, H], value [K, H, D] of the sources -> context [Q, H, D] of the
// targets, weights [E, H]. The sparse counterpart of soft_attention(). Throws when shapes do not fit.
AttentionOutput graph_attention(const Tensor& scores, const Tensor& value,
                                const SparseGraph& graph);

struct GraphAttentionOptions {
    int64_t width = 0;       // of the nodes, D
    int64_t head_width = 0;  // of the context of one head, F
    int64_t heads = 1;       // H
    bool concat = true;      // contexts of heads joined, [N, H F]; otherwise their mean, [N, F]
    double slope = 0.2;      // of LeakyReLU for negative numbers
    bool bias = true;        // added to the output
    // The rates at which features of the nodes, values of each head, and weights are dropped in
    // training. The GAT paper has 0.6 for features and weights; its published code drops values too.
    double dropout = 0;
    double value_dropout = 0;
    double weight_dropout = 0;
};

struct GraphAttention {
    Tensor weight;  // W [H F, D]
    Tensor target;  // aᵗ [H, F]
    Tensor source;  // aˢ [H, F]
    Tensor bias;    // [H F], or [F] without concat, or not defined
    int64_t heads = 1;
    bool concat = true;
    double slope = 0.2;
    Dropout dropout, value_dropout, weight_dropout;

    GraphAttention() = default;
    // Weights as in the published code: uniform by Glorot's rule, bias 0. Throws for sizes that are
    // not positive.
    GraphAttention(const GraphAttentionOptions& options, Rng& rng);
    template <class F>
    void visit(F&& f) {
        f("weight", weight);
        f("target", target);
        f("source", source);
        f("bias", bias);
    }

    // x [N, D] -> context [N, H F] or [N, F], weights [E, H] before dropout, in the order of
    // graph.target() and graph.source(). Throws when shapes do not fit, and with dropout unless the
    // mode is given.
    AttentionOutput operator()(const Tensor& x, const SparseGraph& graph, Mode mode = {}) const;
};

struct GraphAttentionV2 {
    Tensor target_weight;  // Wᵗ [H F, D]
    Tensor source_weight;  // Wˢ [H F, D]
    Tensor score;          // a [H, F]
    Tensor bias;           // as in GraphAttention
    int64_t heads = 1;
    bool concat = true;
    double slope = 0.2;
    Dropout dropout, value_dropout, weight_dropout;

    GraphAttentionV2() = default;
    GraphAttentionV2(const GraphAttentionOptions& options, Rng& rng);
    template <class F>
    void visit(F&& f) {
        f("target_weight", target_weight);
        f("source_weight", source_weight);
        f("score", score);
        f("bias", bias);
    }

    // As GraphAttention's.
    AttentionOutput operator()(const Tensor& x, const SparseGraph& graph, Mode mode = {}) const;
};

}  // namespace heed
