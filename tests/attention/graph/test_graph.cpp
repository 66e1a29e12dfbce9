// Graphs by their edges, and the layers on them: against dense attention under the graph's mask.
#include <cmath>

#include "attention/attention.h"
#include "tests/attention/float64.h"
#include "tests/autograd/compare.h"

using namespace heed;
using Catch::Matchers::ContainsSubstring;

namespace {

using Xs = std::vector<Tensor>;

// Seven nodes; no edge arrives at node 3, and none leaves node 6.
SparseGraph small_graph() {
    return SparseGraph(7, {5, 1, 2, 0, 3, 3, 4, 0, 5, 1}, {0, 0, 0, 1, 1, 4, 5, 5, 6, 2});
}

// A random graph in which each edge exists with probability p.
SparseGraph random_edges(int64_t nodes, double p, Rng& rng) {
    std::vector<int> source, target;
    for (int t = 0; t < nodes; ++t)
        for (int s = 0; s < nodes; ++s)
            if (rng.uniform() < p) source.push_back(s), target.push_back(t);
    return SparseGraph(nodes, source, target);
}

template <class M>
M in_float64(M model) {
    to_dtype(model, f64);
    return model;
}

// Weights [E, H] of the edges as a table [H, N, N].
Tensor as_table(const Tensor& weights, const SparseGraph& graph) {
    Tensor table = zeros({weights.size(1), graph.targets(), graph.sources()}, f64);
    for (int64_t h = 0; h < weights.size(1); ++h)
        for (int64_t e = 0; e < graph.edges(); ++e)
            table.edit<double>()[(h * graph.targets() + graph.target()[e]) * graph.sources() +
                                 graph.source()[e]] = weights.at({e, h});
    return table;
}

// [N, H F] -> [H, N, F]
Tensor heads_of(const Tensor& x, int64_t heads) {
    return transpose(reshape(x, {x.size(0), heads, -1}), 0, 1);
}

// Contexts [H, N, F] joined or averaged, and the bias: what both layers end with.
template <class Layer>
Tensor output_of(const Layer& layer, const Tensor& context) {
    const Tensor y =
        layer.concat ? reshape(transpose(context, 0, 1), {context.size(1), -1}) : mean(context, 0);
    return y + layer.bias;
}

// The same layers as dense attention with additive scores [H, N, N], masked by the graph.
AttentionOutput dense(const GraphAttention& layer, const Tensor& x, const SparseGraph& graph) {
    const Tensor value = heads_of(linear(x, layer.weight), layer.heads);   // [H, N, F]
    const Tensor of_target = sum(value * unsqueeze(layer.target, 1), -1);  // [H, N]
    const Tensor of_source = sum(value * unsqueeze(layer.source, 1), -1);
    const Tensor scores =
        leaky_relu(unsqueeze(of_target, 2) + unsqueeze(of_source, 1), layer.slope);
    const auto [context, weights] = soft_attention(scores, value, dense_mask(graph, f64));
    return {output_of(layer, context), weights};
}
AttentionOutput dense(const GraphAttentionV2& layer, const Tensor& x, const SparseGraph& graph) {
    const Tensor query = heads_of(linear(x, layer.target_weight), layer.heads);
    const Tensor value = heads_of(linear(x, layer.source_weight), layer.heads);
    const Tensor inner = leaky_relu(unsqueeze(query, 2) + unsqueeze(value, 1), layer.slope);
    const Tensor scores = sum(inner * unsqueeze(unsqueeze(layer.score, 1), 1), -1);  // [H, N, N]
    const auto [context, weights] = soft_attention(scores, value, dense_mask(graph, f64));
    return {output_of(layer, context), weights};
}

// The layer with a bias that is not 0, so that it is seen.
template <class Layer>
Layer make(const GraphAttentionOptions& options, uint64_t seed = 3) {
    Rng rng(seed);
    Layer layer = in_float64(Layer(options, rng));
    for (const Parameter& p : parameters(layer)) {
        Tensor x = p.tensor;
        x.assign(uniform(x.shape(), -1, 1, rng, f64));
    }
    return layer;
}

template <class Layer>
void check_dense(const GraphAttentionOptions& options) {
    const Layer layer = make<Layer>(options);
    Rng rng(5);
    for (const SparseGraph& graph :
         {small_graph(), random_edges(12, 0.3, rng), random_edges(9, 1, rng)}) {
        const Tensor x = numbers({graph.targets(), options.width});
        const AttentionOutput found = layer(x, graph), expected = dense(layer, x, graph);
        CHECK(largest_difference(found.context, expected.context) < 1e-12);
        CHECK(largest_difference(as_table(found.weights, graph), expected.weights) < 1e-12);
        // Gradients of the input and of every parameter.
        std::vector<Tensor> leaves{clone(x).set_requires_grad()};
        for (const Parameter& p : parameters(layer)) leaves.push_back(p.tensor);
        const auto by_edges = grad(weighed(layer(leaves[0], graph).context), leaves);
        const auto by_mask = grad(weighed(dense(layer, leaves[0], graph).context), leaves);
        for (std::size_t i = 0; i < leaves.size(); ++i)
            CHECK(largest_difference(by_edges[i], by_mask[i]) < 1e-12);
    }
}

}  // namespace

TEST_CASE("a graph sorts its edges and adds those asked for", "[graph]") {
    const SparseGraph graph(4, {2, 0, 3}, {1, 1, 0});
    CHECK(graph.sources() == 4);
    CHECK(graph.targets() == 4);
    CHECK(graph.source() == Indices({3, 0, 2}));
    CHECK(graph.target() == Indices({0, 1, 1}));
    CHECK(graph.into().end(1) == 3);

    // Loops and edges back are added where they are missing, and only there.
    const SparseGraph both(3, {1, 0, 2}, {0, 1, 2}, {.both_directions = true, .self_loops = true});
    CHECK(both.source() == Indices({0, 1, 0, 1, 2}));
    CHECK(both.target() == Indices({0, 0, 1, 1, 2}));
    const SparseGraph loops(3, {1}, {0}, {.self_loops = true});
    CHECK(loops.source() == Indices({0, 1, 1, 2}));
    CHECK(SparseGraph().edges() == 0);
    CHECK(SparseGraph(2, Indices(), Indices()).edges() == 0);
}

TEST_CASE("a graph and its mask", "[graph]") {
    const Tensor mask = tensor({0, 1, 0, 1, 1, 0}, {2, 3});  // two queries, three keys
    const SparseGraph graph = graph_of_mask(mask);
    CHECK(graph.sources() == 3);
    CHECK(graph.targets() == 2);
    CHECK(graph.source() == Indices({1, 0, 1}));
    CHECK(graph.target() == Indices({0, 1, 1}));
    CHECK(largest_difference(dense_mask(graph), mask) == 0);
    CHECK(largest_difference(dense_mask(graph_of_mask(unsqueeze(mask, 0))), mask) == 0);

    const SparseGraph two = disjoint_union({graph, graph_of_mask(causal_mask(2, 2))});
    const Tensor expected = tensor({0, 1, 0, 0, 0,  //
                                    1, 1, 0, 0, 0,  //
                                    0, 0, 0, 1, 0,  //
                                    0, 0, 0, 1, 1},
                                   {4, 5});
    CHECK(largest_difference(dense_mask(two), expected) == 0);
}

TEST_CASE("malformed graphs are refused", "[graph][errors]") {
    CHECK_THROWS_WITH(SparseGraph(3, {0, 3}, {1, 1}), ContainsSubstring("index 3 at [1]"));
    CHECK_THROWS_WITH(SparseGraph(3, {0, 1}, {-1, 1}), ContainsSubstring("index -1 at [0]"));
    CHECK_THROWS_WITH(SparseGraph(3, {0, 1}, {1}),
                      ContainsSubstring("sources [2] and targets [1]"));
    CHECK_THROWS_WITH(SparseGraph(3, {0, 1, 0}, {2, 1, 2}),
                      ContainsSubstring("the edge from 0 to 2 is given twice"));
    CHECK_THROWS_WITH(SparseGraph(-1, Indices(), Indices()), ContainsSubstring("-1 sources"));
    CHECK_THROWS_WITH(SparseGraph(2, 3, {2}, {0}), ContainsSubstring("index 2 at [0]"));
    CHECK_THROWS_WITH(graph_of_mask(ones({2, 3, 3})), ContainsSubstring("disjoint_union"));
}

TEST_CASE("graph attention is dense attention with additive scores under the graph's mask",
          "[graph]") {
    for (bool concat : {true, false})
        for (int64_t heads : {1, 3}) {
            INFO(heads << " heads" << (concat ? ", joined" : ", averaged"));
            check_dense<GraphAttention>(
                {.width = 5, .head_width = 4, .heads = heads, .concat = concat});
            check_dense<GraphAttentionV2>(
                {.width = 5, .head_width = 4, .heads = heads, .concat = concat, .slope = 0.1});
        }
}

TEST_CASE("graph_attention is soft attention on edges", "[graph]") {
    Rng rng(9);
    const SparseGraph square = random_edges(6, 0.5, rng);
    const SparseGraph graph(8, 6, square.source(),
                            square.target());  // nobody reads sources 6 and 7
    const Tensor table = numbers({2, 6, 8}), value = numbers({8, 2, 3}, 2);
    std::vector<Tensor> rows;
    for (int64_t e = 0; e < graph.edges(); ++e)
        rows.push_back(select(select(table, 1, graph.target()[e]), 1, graph.source()[e]));
    const AttentionOutput found = graph_attention(stack(rows), value, graph);
    const AttentionOutput expected =
        soft_attention(table, transpose(value, 0, 1), dense_mask(graph, f64));
    CHECK(largest_difference(transpose(found.context, 0, 1), expected.context) < 1e-12);
    CHECK(largest_difference(as_table(found.weights, graph), expected.weights) < 1e-12);
}

TEST_CASE("graph convolution is the product with the normalised adjacency matrix", "[graph]") {
    Rng rng(4);
    const SparseGraph symmetric(6, {0, 1, 2, 2, 4}, {1, 2, 3, 0, 0},
                                {.both_directions = true, .self_loops = true});
    for (const SparseGraph& graph : {small_graph(), symmetric, random_edges(11, 0.4, rng)}) {
        GraphConvolution layer = in_float64(GraphConvolution(5, 3, rng));
        layer.linear.bias.assign(numbers({3}));
        const Tensor mask = dense_mask(graph, f64), degree = sum(mask, 1);  // [N, N], [N]
        const Tensor root = where(degree > 0.0, 1 / sqrt(maximum(degree, 1.0)), 0.0);
        const Tensor normalised = unsqueeze(root, 1) * mask * root;
        check_against([&](const Xs& x) { return layer(x[0], graph); },
                      [&](const Xs& x) {
                          return matmul(normalised, linear(x[0], layer.linear.weight)) +
                                 layer.linear.bias;
                      },
                      {numbers({graph.targets(), 5})});
    }
}

TEST_CASE("the worked example of a graph convolution: three papers, two citations", "[graph]") {
    const SparseGraph graph(3, {1, 2}, {0, 0}, {.both_directions = true, .self_loops = true});
    // Node 0 has three edges, nodes 1 and 2 have two: 1/3, 1/√6, 1/√6 arrive at node 0.
    const Tensor c = convolution_weights(graph, f64);
    const double root = 1 / std::sqrt(6.0);
    CHECK(largest_difference(c, tensor({1.0 / 3, root, root, root, 0.5, root, 0.5}, {7}, f64)) <
          1e-15);
}

TEST_CASE("nodes without edges have context 0, and nobody sees what is not connected", "[graph]") {
    const SparseGraph graph = small_graph();
    const auto check_layer = [&](const auto& layer) {
        const Tensor x = numbers({7, 5});
        const auto output = [&](const Tensor& in) { return layer(in, graph).context; };
        CHECK(largest_difference(select(output(x), 0, 3), layer.bias) == 0);
        // Node 6 attends to 5, and nobody attends to 6; not even a NaN in it is seen.
        Tensor changed = clone(x);
        changed.edit<double>()[6 * 5] = nan_value;
        for (int node = 0; node < 6; ++node)
            CHECK(largest_difference(select(output(changed), 0, node),
                                     select(output(x), 0, node)) == 0);
        CHECK(std::isnan(output(changed).at({6, 0})));
    };
    check_layer(make<GraphAttention>({.width = 5, .head_width = 2, .heads = 2}));
    check_layer(make<GraphAttentionV2>({.width = 5, .head_width = 2, .heads = 2}));
}

TEST_CASE("the ranking of neighbours is the same for all targets in GAT, not in GATv2", "[graph]") {
    Rng rng(2);
    const SparseGraph all = random_edges(6, 1, rng);
    // How many targets have another favourite source than target 0.
    const auto others = [&](const auto& layer) {
        const Tensor weights = as_table(layer(numbers({6, 4}), all).weights, all);
        const Indices favourite = argmax(select(weights, 0, 0), -1);
        int count = 0;
        for (int i = 1; i < 6; ++i) count += favourite[i] != favourite[0];
        return count;
    };
    int dynamic = 0;
    for (uint64_t seed = 1; seed <= 20; ++seed) {
        CHECK(others(make<GraphAttention>({.width = 4, .head_width = 8}, seed)) == 0);
        dynamic += others(make<GraphAttentionV2>({.width = 4, .head_width = 8}, seed));
    }
    CHECK(dynamic >= 20);
}

TEST_CASE("dropout of features, values and weights", "[graph]") {
    const SparseGraph graph = small_graph();
    const Tensor x = numbers({7, 5});
    const auto check_layer = [&](const GraphAttentionOptions& options, bool changes_weights) {
        const auto layer = make<GraphAttention>(options);
        Rng one(1), same(1), other(2);
        const AttentionOutput y = layer(x, graph, Mode::training(one));
        CHECK(largest_difference(y.context, layer(x, graph, Mode::training(same)).context) == 0);
        CHECK(largest_difference(y.context, layer(x, graph, Mode::training(other)).context) > 1e-3);
        const AttentionOutput plain = layer(x, graph, Mode::evaluation());
        CHECK(largest_difference(y.context, plain.context) > 1e-3);
        CHECK((largest_difference(y.weights, plain.weights) > 1e-3) == changes_weights);
        CHECK_THROWS_WITH(layer(x, graph), ContainsSubstring("training or evaluation?"));
        CHECK_THROWS_WITH(make<GraphAttentionV2>(options)(x, graph),
                          ContainsSubstring("training or evaluation?"));
    };
    check_layer({.width = 5, .head_width = 2, .heads = 2, .dropout = 0.5}, true);
    check_layer({.width = 5, .head_width = 2, .heads = 2, .value_dropout = 0.5}, false);
    check_layer({.width = 5, .head_width = 2, .heads = 2, .weight_dropout = 0.5}, false);
}

TEST_CASE("initial values of the layers on graphs follow Glorot's rule for one head", "[graph]") {
    Rng rng(1);
    const GraphAttention layer({.width = 100, .head_width = 20, .heads = 6}, rng);
    const double bound = std::sqrt(6.0 / 120), vector_bound = std::sqrt(6.0 / 21);
    CHECK(max(abs(layer.weight)).item() <= bound);
    CHECK(max(abs(layer.weight)).item() > 0.99 * bound);
    CHECK(max(abs(layer.target)).item() <= vector_bound);
    CHECK(max(abs(layer.target)).item() > 0.9 * vector_bound);
    CHECK(max(abs(layer.bias)).item() == 0);
    const GraphAttentionV2 second({.width = 100, .head_width = 20, .heads = 6}, rng);
    CHECK(max(abs(second.source_weight)).item() <= bound);
    CHECK(max(abs(second.source_weight)).item() > 0.99 * bound);
    const GraphConvolution convolution(100, 20, rng);
    CHECK(max(abs(convolution.linear.weight)).item() <= bound);
    CHECK(max(abs(convolution.linear.weight)).item() > 0.99 * bound);
    CHECK(max(abs(convolution.linear.bias)).item() == 0);
}

TEST_CASE("layers on graphs refuse what does not fit", "[graph][errors]") {
    Rng rng(1);
    const SparseGraph graph = small_graph(), bipartite(3, 2, {0}, {1});
    const GraphAttention layer({.width = 5, .head_width = 2}, rng);
    CHECK_THROWS_WITH(layer(zeros({6, 5}), graph),
                      ContainsSubstring("GraphAttention: x is [6, 5]"));
    CHECK_THROWS_WITH(layer(zeros({7, 4}), graph),
                      ContainsSubstring("expected x [7, 5]; one row for each node"));
    CHECK_THROWS_WITH(layer(zeros({2, 5}), bipartite), ContainsSubstring("3 sources to 2 targets"));
    CHECK_THROWS_WITH(layer(Tensor(), graph), ContainsSubstring("x is not defined"));
    CHECK_THROWS_WITH(GraphAttention()(zeros({7, 5}), graph), ContainsSubstring("no weights"));
    CHECK_THROWS_WITH(GraphAttentionV2({.width = 5}, rng), ContainsSubstring("head_width is 0"));
    CHECK_THROWS_WITH(GraphAttentionV2({.width = 5, .head_width = 2}, rng)(zeros({7, 4}), graph),
                      ContainsSubstring("GraphAttentionV2: x is [7, 4]"));
    CHECK_THROWS_WITH(GraphConvolution(5, 2, rng)(zeros({7, 4}), graph),
                      ContainsSubstring("GraphConvolution: x is [7, 4]"));
    CHECK_THROWS_WITH(convolution_weights(bipartite), ContainsSubstring("3 sources to 2 targets"));
    CHECK_THROWS_WITH(graph_attention(zeros({9, 1}), zeros({7, 1, 2}), graph),
                      ContainsSubstring("scores is [9, 1]; expected scores [10, H]"));
    CHECK_THROWS_WITH(graph_attention(zeros({10, 1}), zeros({7, 2, 2}), graph),
                      ContainsSubstring("H is 1 in scores [10, 1] and 2 in value [7, 2, 2]"));
}
