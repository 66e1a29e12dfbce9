// A small graph whose edges can be cut: the weights of a graph attention layer, and how far a
// message of one node comes in k layers.
#include "lessons/course/live/live.h"

#include <cmath>

#include "attention/attention.h"
#include "lessons/course/figures/svg.h"

namespace heed::lesson26 {

using namespace course;

namespace {

struct Place {
    double x, y;
};
const std::vector<Place> nodes{{60, 70},  {180, 40}, {190, 160}, {70, 190},
                               {310, 90}, {430, 60}, {430, 180}, {310, 220}};
const std::vector<std::pair<int, int>> edges{{0, 1}, {0, 3}, {1, 2}, {2, 3}, {0, 2}, {1, 4},
                                             {2, 7}, {4, 5}, {4, 7}, {5, 6}, {6, 7}, {4, 6}};

SparseGraph graph_of(const std::vector<bool>& on) {
    std::vector<int> from, to;
    for (std::size_t i = 0; i < edges.size(); ++i) {
        if (!on[i]) continue;
        from.push_back(edges[i].first);
        to.push_back(edges[i].second);
    }
    return SparseGraph(static_cast<std::int64_t>(nodes.size()), from, to,
                       {.both_directions = true, .self_loops = true});
}

Drawn draw(const Inputs& inputs) {
    const NoGrad no_grad;
    const auto count = static_cast<std::int64_t>(nodes.size());
    const std::vector<bool>& on = inputs.on("edges");
    const SparseGraph graph = graph_of(on);
    const int sender = inputs.whole("sender") - 1, reader = inputs.whole("reader") - 1;
    Rng rng(static_cast<std::uint64_t>(inputs.whole("seed")));
    const Tensor features = normal({count, 4}, 0, 1, rng);
    const GraphAttentionV2 layer({.width = 4, .head_width = 8}, rng);
    const Tensor weights = layer(features, graph).weights;  // [E, 1], each node's sum to 1
    const Tensor scores = inputs.chosen("kind") == 0 ? log(weights) : zeros({graph.edges(), 1});

    // The message is a number: 1 at its sender, 0 at all others.
    std::vector<double> start(nodes.size(), 0);
    start[static_cast<std::size_t>(sender)] = 1;
    Tensor message = tensor(start, {count, 1, 1});
    AttentionOutput output;
    for (int k = 0; k < inputs.whole("layers"); ++k) {
        output = graph_attention(scores, message, graph);
        message = reshape(output.context, {count, 1, 1});
    }
    const std::vector<double> share = message.to_vector();
    const std::vector<double> of_edges =
        graph_attention(scores, message, graph).weights.to_vector();

    Svg svg(500, 280, "A graph: click on an edge to cut it or to restore it");
    svg.text(10, 16, "Click on an edge to cut it", "start", "title");
    for (std::size_t i = 0; i < edges.size(); ++i) {
        const auto [a, b] = edges[i];
        const Place &p = nodes[static_cast<std::size_t>(a)],
                    &q = nodes[static_cast<std::size_t>(b)];
        double weight = 0;  // of the reader on its neighbour, if this edge leads to it
        for (std::int64_t e = 0; e < graph.edges(); ++e)
            if (graph.target()[e] == reader && (graph.source()[e] == (a == reader ? b : a)) &&
                (a == reader || b == reader))
                weight = of_edges[static_cast<std::size_t>(e)];
        svg.add(
            R"(<line class="{}" x1="{}" y1="{}" x2="{}" y2="{}" style="stroke-width:{:.1f}"{}/>)",
            weight > 0 ? "line s1" : "axis", p.x, p.y, q.x, q.y, on[i] ? 1.5 + 10 * weight : 1,
            on[i] ? "" : " stroke-dasharray=\"2 5\"");
        svg.add(
            R"(<line stroke="transparent" stroke-width="18" data-switch="edges" data-index="{}" )"
            R"(tabindex="{}" role="switch" aria-checked="{}" aria-label="edge from {} to {}" )"
            R"(x1="{}" y1="{}" x2="{}" y2="{}"/>)",
            i, i == 0 ? 0 : -1, bool(on[i]), a + 1, b + 1, p.x, p.y, q.x, q.y);
    }
    double reached = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        reached += share[i] > 0;
        svg.add(R"(<circle class="ground" cx="{0}" cy="{1}" r="17"/><circle class="hot" )"
                R"(fill-opacity="{2:.3f}" cx="{0}" cy="{1}" r="17"/>)"
                R"(<circle class="{3}" cx="{0}" cy="{1}" r="17"/>)",
                nodes[i].x, nodes[i].y, std::sqrt(share[i]),
                static_cast<int>(i) == reader ? "gold" : "axis");
        svg.text(nodes[i].x, nodes[i].y + 5, std::to_string(i + 1), "middle",
                 share[i] > 0.25 ? "on" : "");
    }
    return {.svgs = {svg.finish()},
            .numbers = {{"share of the message at the outlined node",
                         share[static_cast<std::size_t>(reader)]},
                        {"nodes that it has reached", reached}}};
}

const Registered figure(
    {.name = "graph_edges",
     .controls = {switches("edges", "Edges", std::vector<bool>(edges.size(), true)),
                  slider("sender", "The message comes from node", {1, 8, 1, 1}),
                  slider("layers", "Layers", {0, 8, 1, 2}),
                  slider("reader", "Outlined: the node that attends", {1, 8, 1, 5}),
                  choice("kind", "Weights", {"attention", "all equal"}),
                  slider("seed", "Other features and weights", {1, 20, 1, 1})},
     .draw = draw});

}  // namespace

}  // namespace heed::lesson26
