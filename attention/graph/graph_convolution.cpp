#include "attention/graph/graph_convolution.h"

#include <cmath>

#include "autograd/ops/elementwise/binary.h"
#include "autograd/ops/index/indexing.h"
#include "autograd/ops/product/matmul.h"
#include "autograd/ops/shape/shape_ops.h"
#include "autograd/tensor/shapes.h"
#include "nn/layers/init.h"

namespace heed {

GraphConvolution::GraphConvolution(Integer in, Integer out, Rng& rng, Flag with_bias)
    : linear(in, out, rng, with_bias) {
    linear.weight.assign(xavier_uniform({out, in}, rng));
    if (with_bias) linear.bias.assign(zeros({out}));
}

Tensor GraphConvolution::operator()(const Tensor& x, const SparseGraph& graph) const {
    const Shapes in("GraphConvolution", {{"x", x, "N in"}},
                    {{"N", graph.targets()}, {"in", linear.in_features()}}, nodes_of_graph);
    const Tensor c = unsqueeze(convolution_weights(graph, x.dtype()), 1);  // [E, 1]
    const Tensor from = connected(x, graph);
    Tensor value = heed::linear(from, linear.weight);  // [N, out]
    if (linear.adapter) value = value + (*linear.adapter)(from);
    const Tensor y = segment_sum(c * index_select(value, 0, graph.source()), graph.into());
    return linear.bias.defined() ? y + linear.bias : y;
}

Tensor convolution_weights(const SparseGraph& graph, Dtype dtype) {
    check_one_kind(graph, "convolution_weights");
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
