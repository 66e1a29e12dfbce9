// Two figures: what a trained translator looks at before each word, and a query that is dragged among
// three words.
#include "lessons/course/live/live.h"

#include <cmath>

#include "autograd/autograd.h"
#include "lessons/00_attention/pictures.h"
#include "lessons/course/figures/figures.h"
#include "lessons/course/figures/svg.h"
#include "lessons/course/live/plane.h"

namespace heed::lesson00 {

using namespace course;

namespace {

// The source words as boxes, shaded by the weight before the word that comes next, and the text so far.
Drawn draw_looking(const Inputs& inputs) {
    const Alignment& all = alignment();
    const auto next = static_cast<std::size_t>(inputs.whole("written"));
    const Row& weights = all.weights.at(next);
    Svg svg(420, 150, "The sentence, and its translation so far");
    double x = 12;
    for (std::size_t j = 0; j < all.source.size(); ++j) {
        const double width = 92;
        svg.add(R"(<rect class="empty" x="{0:.1f}" y="14" width="{1:.1f}" height="44" rx="4"/>)"
                R"(<rect class="hot" fill-opacity="{2:.3f}" x="{0:.1f}" y="14" width="{1:.1f}" )"
                R"(height="44" rx="4"/>)",
                x, width, weights[j]);
        svg.text(x + width / 2, 41, all.source[j], "middle", weights[j] > 0.5 ? "on" : "");
        svg.text(x + width / 2, 78, fmt::format("{:.2f}", weights[j]), "middle", "faint");
        x += width + 12;
    }
    std::string text;
    for (std::size_t i = 0; i < next; ++i) text += all.written[i] + " ";
    svg.text(12, 112, text + "▁");
    svg.text(12, 138, "next: " + all.written[next], "start", "title");
    return {.svgs = {svg.finish()}};
}

Drawn draw_query(const Inputs& inputs) {
    const auto [qx, qy] = inputs.place("query");
    const std::vector<std::string> names{"나는", "학생", "이다"};
    const std::vector<Row> words{{3, 0}, {2, 1}, {0, 2}};
    const Tensor q = as_tensor({{qx, qy}}), w = as_tensor(words);
    const Tensor weights = softmax(matmul(q, transpose(w)));
    const Row share = weights.to_vector(), mean = matmul(weights, w).to_vector();

    Plane plane{.title = "Drag the query. To the right: person, up: verb",
                .low = -3.5,
                .high = 3.5,
                .size = 360};
    BarChart chart{.title = "Shares", .value_label = "share", .high = 1};
    chart.sets = {{.name = "share", .values = share}};
    for (std::size_t j = 0; j < words.size(); ++j) {
        plane.arrows.push_back({.x = words[j][0],
                                .y = words[j][1],
                                .name = names[j],
                                .colour = 0,
                                .strength = 0.15 + 0.85 * share[j]});
        chart.labels.push_back(names[j]);
    }
    plane.dots.push_back({.x = mean[0], .y = mean[1], .name = "mean", .colour = 1, .radius = 6});
    plane.handles.push_back({.control = "query", .x = qx, .y = qy, .name = "query"});
    return {
        .svgs = {to_svg(plane), to_svg(chart)},
        .numbers = {
            {"share of 나는", share[0]}, {"share of 학생", share[1]}, {"share of 이다", share[2]}}};
}

const Registered looking({.name = "looking",
                          .controls = {slider("written", "Words written so far", {0, 3, 1, 1})},
                          .draw = draw_looking});
const Registered dragged({.name = "wish",
                          .controls = {place("query", "Query", 0, 2)},
                          .draw = draw_query});

}  // namespace

}  // namespace heed::lesson00
