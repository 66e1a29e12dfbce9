// Wider and wider: the weights of random keys under a score, their entropy, and the gradient behind the
// softmax, by the width of queries and keys.
#include "lessons/course/live/live.h"

#include <algorithm>
#include <cmath>

#include "attention/attention.h"
#include "lessons/course/figures/figures.h"

namespace heed::lesson10 {

using namespace course;

namespace {

constexpr int shown_keys = 16, queries = 40;
const std::vector<int> widths{1, 2, 4, 8, 16, 32, 64, 128, 256};
const std::vector<ScoreKind> kinds{ScoreKind::dot, ScoreKind::scaled_dot};
const std::vector<std::string> kind_names{"dot", "scaled dot"};

struct Weights {
    Tensor one;  // of the first query, [shown_keys]
    double entropy = 0, gradient = 0;
};

// Random queries with their own random keys, all numbers N(0, 1).
Weights weights_of(ScoreKind kind, int width, double temperature, std::uint64_t seed) {
    Rng rng(seed);
    const Tensor q = normal({queries, 1, width}, 0, 1, rng),
                 k = normal({queries, shown_keys, width}, 0, 1, rng);
    const AttentionScore score(kind, {.query = width, .key = width}, rng);
    Tensor scores = reshape(score(q, score.prepare(k)) / temperature, {queries, shown_keys});
    scores = detach(scores);
    scores.set_requires_grad();
    const Tensor weights = softmax(scores);
    const Tensor g =
        normal({queries, shown_keys}, 0, 1, rng);  // a gradient that arrives at the weights
    const Tensor behind = grad(sum(weights * g), {scores})[0];
    const NoGrad no_grad;
    const Tensor entropy = -sum(weights * log(weights + 1e-30), -1);
    const Tensor norms = sqrt(sum(square(behind), -1));
    return {detach(weights[0]), mean(entropy).item(), mean(norms).item()};
}

Drawn draw(const Inputs& inputs) {
    const ScoreKind kind = kinds[static_cast<std::size_t>(inputs.chosen("score"))];
    const int width = widths[static_cast<std::size_t>(inputs.whole("width"))];
    const double temperature = inputs.number("temperature");
    const auto seed = static_cast<std::uint64_t>(inputs.whole("seed"));
    const Weights now = weights_of(kind, width, temperature, seed);

    std::vector<double> sorted = now.one.to_vector();
    std::sort(sorted.rbegin(), sorted.rend());
    BarChart chart{.title = "The weights of one query, the largest first",
                   .value_label = "weight",
                   .sets = {{.name = "weight", .values = sorted}},
                   .high = 1};
    for (int i = 1; i <= shown_keys; ++i) chart.labels.push_back("key " + std::to_string(i));
    LinePlot plot{.title = "Mean entropy of the weights, in nats",
                  .x_label = "width D",
                  .log_x = true,
                  .y_range = {0, 3},
                  .x_range = {1, 256},
                  .names_at_ends = false};
    for (std::size_t i = 0; i < kinds.size(); ++i) {
        Series series{.name = kind_names[i]};
        for (const int d : widths) {
            series.x.push_back(d);
            series.y.push_back(weights_of(kinds[i], d, temperature, seed).entropy);
        }
        plot.series.push_back(series);
    }
    return {.svgs = {to_svg(chart), to_svg(plot)},
            .numbers = {{"width D", double(width)},
                        {"largest weight", sorted.front()},
                        {"mean entropy (ln 16 = 2.77 if all are equal)", now.entropy},
                        {"gradient behind the softmax", now.gradient}}};
}

const Registered figure({.name = "saturation",
                         .controls = {slider("width", "Width D, as a power of 2", {0, 8, 1, 6}),
                                      choice("score", "Score", kind_names),
                                      slider("temperature", "Temperature", {0.1, 4, 0.1, 1}),
                                      slider("seed", "Other random vectors", {1, 20, 1, 1})},
                         .draw = draw});

}  // namespace

}  // namespace heed::lesson10
