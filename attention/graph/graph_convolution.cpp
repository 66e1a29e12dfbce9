#include "attention/graph/graph_convolution.h"

#include <cmath>

#include "autograd/base/user_call.h"
#include "autograd/ops/binary.h"
#include "autograd/ops/indexing.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/shape_ops.h"
#include "nn/layers/init.h"

namespace heed {

GraphConvolution::GraphConvolution(Integer in, Integer out, Rng& rng, Flag with_bias)
    : linear(in, out, rng, with_bias) {
    linear.weight.assign(xavier_uniform({out, in}, rng));
    if (with_bias) linear.bias.assign(zeros({out}));
}

Tensor GraphConvolution::operator()(const Tensor& x, const SparseGraph& graph) const {
    const UserCall named("GraphConvolution");
    check(linear.weight.defined(),
          "GraphConvolution: this layer has no weights; construct it with its sizes");
    const int64_t nodes = graph.targets(), width = linear.weight.size(1);
    check(x.defined() && x.dim() == 2 && x.size(0) == nodes && x.size(1) == width,
          "GraphConvolution: x {} for a graph of {} nodes; expected [{}, {}]", ShapeOf{x}, nodes,
          nodes, width);
    const Tensor c = unsqueeze(convolution_weights(graph, x.dtype()), 1);   // [E, 1]
    const Tensor value = heed::linear(connected(x, graph), linear.weight);  // [N, out]
    const Tensor y = segment_sum(c * index_select(value, 0, graph.source()), graph.into());
    return linear.bias.defined() ? y + linear.bias : y;
}

Tensor convolution_weights(const SparseGraph& graph, Dtype dtype) {
    check(graph.sources() == graph.targets(),
          "convolution_weights: a graph from {} sources to {} targets; expected edges between the "
          "same nodes",
          graph.sources(), graph.targets());
    const Segments& into = graph.into();
    const auto degree = [&](int node) { return into.end(node) - into.begin(node); };
    Tensor weights = zeros({graph.edges()}, dtype);
    with_dtype(dtype, [&]<class T>(T) {
        T* c = weights.edit<T>();
        for (int64_t e = 0; e < graph.edges(); ++e) {
            const double product = static_cast<double>(degree(graph.target()[e])) *
                                   static_cast<double>(degree(graph.source()[e]));
            c[e] = product > 0 ? static_cast<T>(1 / std::sqrt(product)) : T(0);
        }
    });
    return weights;
}

}  // namespace heed
