#include "attention/graph/graph_attention.h"

#include <cmath>

#include "autograd/base/settings.h"
#include "autograd/ops/elementwise/binary.h"
#include "autograd/ops/elementwise/unary.h"
#include "autograd/ops/index/indexing.h"
#include "autograd/ops/product/matmul.h"
#include "autograd/ops/reduce/reductions.h"
#include "autograd/ops/shape/shape_ops.h"
#include "autograd/tensor/shapes.h"
#include "nn/layers/init.h"

namespace heed {

namespace {

void check_sizes(const GraphAttentionOptions& o, const char* layer) {
    check_positive(layer, {{"width", o.width}, {"head_width", o.head_width}, {"heads", o.heads}});
    check(std::isfinite(o.slope), "{}: expected a finite slope, got {}", layer, o.slope);
}

// Initial values [H rows, columns]. Each head is a layer of its own, so Glorot's rule is applied to
// its matrix alone; a vector a of the scores is a matrix of one row.
Tensor initial(const GraphAttentionOptions& o, int64_t rows, int64_t columns, Rng& rng) {
    std::vector<Tensor> heads;
    for (int64_t h = 0; h < o.heads; ++h) heads.push_back(xavier_uniform({rows, columns}, rng));
    return parameter(concat(heads, 0));
}

Tensor bias_of(const GraphAttentionOptions& o) {
    if (!o.bias) return {};
    return parameter(zeros({o.concat ? o.heads * o.head_width : o.head_width}));
}

int64_t width_of(const Tensor& weight, const char* layer) {
    check(weight.defined(), "{}: this layer has no weights; construct it with its sizes", layer);
    return weight.size(1);
}

// W x as heads: x [N, D], W [H F, D] -> [N, H, F].
Tensor project(const Tensor& x, const Tensor& weight, int64_t heads) {
    return reshape(linear(x, weight), {x.size(0), heads, weight.size(0) / heads});
}

// The rows of the targets, and of the sources, of all edges: [N, ...] -> [E, ...].
Tensor at_targets(const Tensor& x, const SparseGraph& graph) {
    return index_select(x, 0, graph.target());
}
Tensor at_sources(const Tensor& x, const SparseGraph& graph) {
    return index_select(x, 0, graph.source());
}

// Σⱼ αⱼ vⱼ: weights [E, H], value [K, H, F] -> [Q, H, F].
Tensor weighted_sum(const Tensor& weights, const Tensor& value, const SparseGraph& graph) {
    return segment_sum(unsqueeze(weights, -1) * at_sources(value, graph), graph.into());
}

// What both layers do with their scores [E, H] and values [N, H, F].
template <class Layer>
AttentionOutput attend(const Layer& layer, const Tensor& scores, const Tensor& value,
                       const SparseGraph& graph, Mode mode) {
    const Tensor weights = segment_softmax(scores, graph.into());
    const Tensor context = weighted_sum(layer.weight_dropout(weights, mode),
                                        layer.value_dropout(value, mode), graph);  // [N, H, F]
    const Tensor output = layer.concat ? flatten(context, 1) : mean(context, 1);
    return {layer.bias.defined() ? output + layer.bias : output, weights};
}

}  // namespace

AttentionOutput graph_attention(const Tensor& scores, const Tensor& value,
                                const SparseGraph& graph) {
    const Shapes in("graph_attention", {{"scores", scores, "E H"}, {"value", value, "K H D"}},
                    {{"E", graph.edges()}, {"K", graph.sources()}},
                    "one row of scores for each edge, one value for each source");
    const Tensor weights = segment_softmax(scores, graph.into());
    return {weighted_sum(weights, value, graph), weights};
}

// --- e = LeakyReLU(aᵗ · W xᵢ + aˢ · W xⱼ) -------------------------------------------------------

GraphAttention::GraphAttention(const GraphAttentionOptions& o, Rng& rng)
    : heads(o.heads),
      concat(o.concat),
      slope(o.slope),
      dropout(o.dropout),
      value_dropout(o.value_dropout),
      weight_dropout(o.weight_dropout) {
    check_sizes(o, "GraphAttention");
    weight = initial(o, o.head_width, o.width, rng);
    target = initial(o, 1, o.head_width, rng);
    source = initial(o, 1, o.head_width, rng);
    bias = bias_of(o);
}

AttentionOutput GraphAttention::operator()(const Tensor& x, const SparseGraph& graph,
                                           Mode mode) const {
    const Shapes in("GraphAttention", {{"x", x, "N D"}},
                    {{"N", graph.targets()}, {"D", width_of(weight, "GraphAttention")}},
                    nodes_of_graph);
    check_one_kind(graph, "GraphAttention");
    const Tensor value = project(dropout(connected(x, graph), mode), weight, heads);  // [N, H, F]
    // a · (W x) is computed once for each node, not for each edge.
    const Tensor of_target = sum(value * target, -1);  // [N, H]
    const Tensor of_source = sum(value * source, -1);
    const Tensor scores =
        leaky_relu(at_targets(of_target, graph) + at_sources(of_source, graph), slope);  // [E, H]
    return attend(*this, scores, value, graph, mode);
}

// --- e = a · LeakyReLU(Wᵗ xᵢ + Wˢ xⱼ) -----------------------------------------------------------

GraphAttentionV2::GraphAttentionV2(const GraphAttentionOptions& o, Rng& rng)
    : heads(o.heads),
      concat(o.concat),
      slope(o.slope),
      dropout(o.dropout),
      value_dropout(o.value_dropout),
      weight_dropout(o.weight_dropout) {
    check_sizes(o, "GraphAttentionV2");
    target_weight = initial(o, o.head_width, o.width, rng);
    source_weight = initial(o, o.head_width, o.width, rng);
    score = initial(o, 1, o.head_width, rng);
    bias = bias_of(o);
}

AttentionOutput GraphAttentionV2::operator()(const Tensor& x, const SparseGraph& graph,
                                             Mode mode) const {
    const Shapes in("GraphAttentionV2", {{"x", x, "N D"}},
                    {{"N", graph.targets()}, {"D", width_of(target_weight, "GraphAttentionV2")}},
                    nodes_of_graph);
    check_one_kind(graph, "GraphAttentionV2");
    const Tensor dropped = dropout(connected(x, graph), mode);
    const Tensor value = project(dropped, source_weight, heads);  // [N, H, F]
    const Tensor inner = at_targets(project(dropped, target_weight, heads), graph) +
                         at_sources(value, graph);                    // [E, H, F]
    const Tensor scores = sum(leaky_relu(inner, slope) * score, -1);  // [E, H]
    return attend(*this, scores, value, graph, mode);
}

}  // namespace heed
