// Local attention: a window round a predicted centre, with a Gaussian in it. The words are weighted by the
// library's local-p.
#include "lessons/course/live/live.h"

#include <algorithm>
#include <cmath>

#include "attention/attention.h"
#include "lessons/course/figures/figures.h"

namespace heed::lesson12 {

using namespace course;

namespace {

constexpr int words = 7;

// The library's weights, its centre at p. The centre is words σ(10 tanh(query)), so the query is found
// backwards from p.
Tensor weights_of(const Tensor& scores, double p, int R) {
    Rng rng(1);
    AttentionSpan span(SpanKind::local_p, {.half_window = R, .query = 1}, rng);
    span.hidden.weight = ones({1, 1}, Dtype::float64);
    span.v = full({1, 1}, 10, Dtype::float64);
    const double query = std::atanh(std::log(p / (words - p)) / 10);
    return reshape(
        span.weights(reshape(scores, {1, 1, words}), full({1, 1, 1}, query, Dtype::float64)),
        {words});
}

Drawn draw(const Inputs& inputs) {
    const NoGrad no_grad;
    const double p = inputs.number("p");
    const int R = inputs.whole("R"), followed = inputs.whole("word");
    const Tensor scores = inputs.chosen("scores") == 0
                              ? zeros({words}, Dtype::float64)
                              : tensor({0.5, -0.5, 1, 0, 2, -1, 0.5}, {words}, Dtype::float64);
    BarChart chart{.title = "Weights of the seven words",
                   .value_label = "weight",
                   .sets = {{.name = "global: softmax", .values = softmax(scores).to_vector()},
                            {.name = "local-p", .values = weights_of(scores, p, R).to_vector()}},
                   .high = 1};
    for (int j = 0; j < words; ++j) chart.labels.push_back("word " + std::to_string(j));

    Series path{.name = "word " + std::to_string(followed)}, now{.name = "p"};
    for (double centre = 0.05; centre < words - 0.5; centre += 0.025) {
        path.x.push_back(centre);
        path.y.push_back(weights_of(scores, centre, R).at({followed}));
    }
    now.x = {p, p};
    now.y = {0, 0.7};
    const LinePlot plot{.title = "The weight of one word, as the centre moves",
                        .x_label = "p",
                        .series = {path, now},
                        .y_range = {0, 0.7},
                        .x_range = {0, words - 0.5},
                        .names_at_ends = false};
    const std::vector<double>& local = chart.sets[1].values;
    double all = 0;
    for (const double weight : local) all += weight;
    const double step = 1e-4, at = local[static_cast<std::size_t>(followed)];
    const double slope = (weights_of(scores, p + step, R).at({followed}) - at) / step;
    return {.svgs = {to_svg(chart), to_svg(plot)},
            .numbers = {
                {"words in the window",
                 double(std::count_if(local.begin(), local.end(), [](double w) { return w > 0; }))},
                {"sum of the weights", all},
                {"derivative of the followed weight by p", std::abs(slope) < 1e-9 ? 0 : slope}}};
}

const Registered figure({.name = "window",
                         .controls = {slider("p", "Centre p", {0.1, 6.4, 0.1, 2.9}),
                                      slider("R", "Half window R", {1, 3, 1, 2}),
                                      slider("word", "Follow word", {0, 6, 1, 5}),
                                      choice("scores", "Scores", {"all equal", "different"})},
                         .draw = draw});

}  // namespace

}  // namespace heed::lesson12
