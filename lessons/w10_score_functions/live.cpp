// One query, three keys and six scores: the query is dragged, and the shares change, by the formula.
#include "lessons/course/live/live.h"

#include <cmath>

#include "autograd/autograd.h"
#include "lessons/course/figures/figures.h"
#include "lessons/course/live/plane.h"
#include "lessons/w10_score_functions/pictures.h"

namespace heed::workshop10 {

using namespace course;

namespace {

enum Formula { dot, scaled_dot, general, additive, content, location };

// The scores of the three keys, with the parameters of the numbers worked by hand.
Tensor scores_of(int formula, const Tensor& q, const Tensor& k) {  // [D], [K, D] -> [K]
    const Tensor products = matmul(k, q);
    const Tensor swap = tensor({0, 1, 1, 0}, {2, 2}), rows = tensor({0, 0, 0, 1, 1, 0}, {3, 2});
    const auto lengths = [](const Tensor& x) { return sqrt(sum(square(x), -1) + 1e-12); };
    switch (formula) {
        case scaled_dot:
            return products / std::sqrt(2.);
        case general:
            return matmul(matmul(k, transpose(swap)), q);
        case additive:
            return sum(tanh(q + k), -1);
        case content:
            return 3 * products / (lengths(k) * lengths(q));
        case location:
            return matmul(rows, q);
        default:
            return products;
    }
}

Drawn draw(const Inputs& inputs) {
    const NoGrad no_grad;
    const auto [x, y] = inputs.place("query");
    const Tensor keys = three_colours().keys;
    const Tensor scores = scores_of(inputs.chosen("score"), tensor({x, y}), keys);
    const std::vector<double> score = scores.to_vector(), share = softmax(scores).to_vector(),
                              key = keys.to_vector();
    const std::vector<std::string> names{"red", "green", "yellow"};
    Plane plane{.title = "Drag the query", .low = -3.5, .high = 3.5, .size = 360};
    BarChart chart{.title = "Weights", .value_label = "weight", .labels = names, .high = 1};
    chart.sets = {{.name = "weight", .values = share}};
    std::vector<LiveNumber> numbers;
    for (std::size_t j = 0; j < 3; ++j) {
        plane.arrows.push_back({.x = key[2 * j],
                                .y = key[2 * j + 1],
                                .name = names[j],
                                .colour = 0,
                                .strength = 0.15 + 0.85 * share[j]});
        numbers.push_back({"score of " + names[j], score[j]});
    }
    plane.handles.push_back({.control = "query", .x = x, .y = y, .name = "query"});
    return {.svgs = {to_svg(plane), to_svg(chart)}, .numbers = numbers};
}

const Registered figure({.name = "six_scores",
                         .controls = {place("query", "Query", 2, 1),
                                      choice("score", "Score",
                                             {"dot", "scaled dot", "general", "additive", "content",
                                              "location"})},
                         .draw = draw});

}  // namespace

}  // namespace heed::workshop10
