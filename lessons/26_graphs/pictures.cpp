#include "lessons/26_graphs/pictures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "autograd/base/error.h"

namespace heed::lesson26 {

using namespace course;

Arrows paper_with_neighbours(const CommunityGraph& graph) {
    std::vector<std::vector<int>> neighbours(graph.labels.size());
    for (const auto& [u, v] : graph.edges) {
        neighbours[static_cast<std::size_t>(u)].push_back(v);
        neighbours[static_cast<std::size_t>(v)].push_back(u);
    }
    const auto found = std::find_if(neighbours.begin(), neighbours.end(),
                                    [](const std::vector<int>& all) { return all.size() == 6; });
    check(found != neighbours.end(), "no paper is joined to six others");
    const std::vector<int>& others = *found;
    const int paper = static_cast<int>(found - neighbours.begin());
    Arrows plane{.title = fmt::format("A paper of topic {} and its neighbours",
                                      graph.labels[static_cast<std::size_t>(paper)] + 1),
                 .axes = false};
    for (std::size_t i = 0; i < others.size(); ++i) {
        const double angle = 2 * std::numbers::pi * (double(i) + 0.25) / double(others.size());
        const double x = 1.6 * std::cos(angle), y = std::sin(angle);
        const int colour = graph.is_noise(paper, others[i]) ? 1 : 0;
        plane.lines.push_back(arrow("", 0.3 * x, 0.3 * y, colour, 0.85 * x, 0.85 * y));
        plane.lines.push_back(
            {.name = fmt::format("topic {}", graph.labels[static_cast<std::size_t>(others[i])] + 1),
             .x = {x},
             .y = {y},
             .colour = colour,
             .end = Arrows::End::ball});
    }
    plane.lines.push_back({.x = {0}, .y = {0}, .end = Arrows::End::ball});
    return plane;
}

Diagram graph_attention_layer() {
    using enum Diagram::Kind;
    Diagram diagram{.title = "Graph attention: what arrives at paper 0", .flow = Diagram::Flow::up};
    diagram.boxes = {
        {.name = "x0", .lines = {"the paper"}, .column = 0, .kind = input},
        {.name = "x1", .lines = {"a neighbour"}, .column = 1, .kind = input},
        {.name = "x2", .lines = {"a neighbour"}, .column = 2, .kind = input},
        {.name = "W", .lines = {"the same for all"}, .column = 1, .row = 1, .kind = learned},
        {.name = "score of 0 ← 0", .column = 0, .row = 2, .kind = learned},
        {.name = "score of 0 ← 1", .column = 1, .row = 2, .kind = learned},
        {.name = "score of 0 ← 2", .column = 2, .row = 2, .kind = learned},
        {.name = "softmax", .lines = {"over three edges"}, .column = 1, .row = 3},
        {.name = "sum", .lines = {"weight times W x"}, .column = 1, .row = 4},
        {.name = "y0", .column = 1, .row = 5, .kind = output}};
    diagram.arrows = {{0, 3},
                      {1, 3},
                      {2, 3},
                      {3, 4},
                      {3, 5},
                      {3, 6},
                      {4, 7},
                      {5, 7},
                      {6, 7},
                      {7, 8},
                      {3, 8, "values", Diagram::Side::right},
                      {8, 9}};
    diagram.frames = {{"one number for each edge", {4, 5, 6}}};
    return diagram;
}

}  // namespace heed::lesson26
