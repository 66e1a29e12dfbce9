// Graph convolution (Kipf and Welling 2017, equation 2): the mean of a node's neighbours, with weights
// that depend on their numbers of edges only, and a linear layer.
//
//     yᵢ = Σⱼ cᵢⱼ W xⱼ + b,    cᵢⱼ = 1 / √(dᵢ dⱼ)
//
// over the sources j of the edges that arrive at i; dᵢ is the number of edges that arrive at i. With
// A the dense mask of the graph and D the diagonal matrix of the dᵢ it is Y = D^(-1/2) A D^(-1/2) X Wᵀ.
// The paper has edges in both directions and self-loops.
//
//     SparseGraph graph(3, {1, 2}, {0, 0}, {.both_directions = true, .self_loops = true});
//     GraphConvolution layer(1433, 16, rng);
//     Tensor h = relu(layer(x, graph));    // [N, 1433] -> [N, 16]
#pragma once

#include "attention/graph/sparse_graph.h"
#include "nn/layers/layers.h"

namespace heed {

struct GraphConvolution {
    Linear linear;  // W [out, in]; its bias b is added after the mean

    GraphConvolution() = default;
    // W uniform by Glorot's rule, b = 0, as in the paper.
    GraphConvolution(Integer in, Integer out, Rng& rng, Flag with_bias = true);
    template <class F>
    void visit(F&& f) {
        linear.visit(f);
    }

    // x [N, in] -> [N, out]. A node at which no edge arrives has output b. Throws when shapes do not
    // fit.
    Tensor operator()(const Tensor& x, const SparseGraph& graph) const;
};

// cᵢⱼ of every edge, [E], in the order of graph.target() and graph.source(); 0 if no edge arrives at
// the source. A constant.
Tensor convolution_weights(const SparseGraph& graph, Dtype dtype = Dtype::float32);

}  // namespace heed
