// Attention and convolution on graphs, with all their parameters.
#include "attention/graph/graph_attention.h"
#include "attention/graph/graph_convolution.h"
#include "tests/gradcheck/modules.h"

namespace heed {
namespace {

using Xs = std::vector<Tensor>;

// Five nodes; no edge arrives at node 3. Several edges arrive at most nodes: where LeakyReLU gets numbers
// of one sign only at a target of GraphAttention, softmax cancels what the target adds, and its gradient
// is 0.
SparseGraph graph() {
    return SparseGraph(5, {1, 2, 4, 0, 3, 4, 2, 0, 3, 0}, {0, 0, 0, 1, 2, 2, 4, 4, 1, 2});
}

std::vector<Case> graphs() {
    std::vector<Case> cases{
        {"graph_attention",
         [](const Xs& x) { return joined(graph_attention(x[0], x[1], graph())); },
         {sample({10, 2}), sample({5, 2, 3}, -1, 1, 2)}},
        {"graph_attention between nodes of two kinds",
         [](const Xs& x) {
             const SparseGraph bipartite(4, 2, {0, 2, 3, 1}, {0, 0, 1, 0});
             return joined(graph_attention(x[0], x[1], bipartite));
         },
         {sample({4, 1}), sample({4, 1, 3}, -1, 1, 2)}},
        {"connected, with a NaN in a node without edges",
         [](const Xs& x) {
             const Tensor others = like(x[0], tensor({1, 1, 0, 1}, {4, 1}));
             return connected(where(others, x[0], NAN), SparseGraph(4, {0, 3}, {1, 1}));
         },
         {sample({4, 2})}}};
    Rng rng(59);
    cases.push_back(with_parameters(
        "GraphConvolution", scattered(GraphConvolution(3, 2, rng)), {sample({5, 3})},
        [](const GraphConvolution& layer, const Xs& x) { return layer(x[0], graph()); }));
    for (bool concat : {true, false}) {
        const std::string heads = concat ? "heads joined" : "heads averaged";
        const GraphAttentionOptions options{
            .width = 3, .head_width = 2, .heads = 2, .concat = concat};
        cases.push_back(with_parameters(
            "GraphAttention, " + heads, scattered(GraphAttention(options, rng)), {sample({5, 3})},
            [](const GraphAttention& layer, const Xs& x) { return joined(layer(x[0], graph())); }));
        cases.push_back(with_parameters("GraphAttentionV2, " + heads,
                                        scattered(GraphAttentionV2(options, rng)), {sample({5, 3})},
                                        [](const GraphAttentionV2& layer, const Xs& x) {
                                            return joined(layer(x[0], graph()));
                                        }));
    }
    const GraphAttentionOptions dropping{.width = 3,
                                         .head_width = 2,
                                         .heads = 2,
                                         .dropout = 0.3,
                                         .value_dropout = 0.2,
                                         .weight_dropout = 0.3};
    cases.push_back(with_parameters("GraphAttention, dropout",
                                    scattered(GraphAttention(dropping, rng)), {sample({5, 3})},
                                    [](const GraphAttention& layer, const Xs& x) {
                                        Rng same(5);
                                        return joined(layer(x[0], graph(), Mode::training(same)));
                                    }));
    return cases;
}

const bool added_graph = add_cases(graphs);

}  // namespace
}  // namespace heed
