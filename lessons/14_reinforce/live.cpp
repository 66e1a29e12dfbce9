// The arrows of REINFORCE: estimates of the gradient of an expected loss over three actions, and how far
// they scatter with each baseline.
#include "lessons/course/live/live.h"

#include <algorithm>
#include <cmath>

#include "attention/attention.h"
#include "lessons/course/figures/figures.h"
#include "lessons/course/live/plane.h"
#include "lessons/material/corpora/three_looks.h"

namespace heed::lesson14 {

using namespace course;
using namespace three_looks;

namespace {

constexpr int batches = 150, actions = 3;
const std::vector<std::string> baselines{"none", "moving average", "leave one out", "optimal"};

// The gradient with respect to three scores sums to 0, so it lies in a plane: its two coordinates there.
std::pair<double, double> in_plane(const Tensor& g) {
    const std::vector<double> v = g.to_vector();
    return {(v[0] - v[1]) / std::sqrt(2.0), (v[0] + v[1] - 2 * v[2]) / std::sqrt(6.0)};
}

struct Estimates {
    std::vector<std::pair<double, double>> points;
    double variance = 0;
    std::pair<double, double> mean{0, 0};
};

// Estimates from `samples` actions each, all with the library's reinforce().
Estimates estimates(const std::string& kind, const Tensor& scores, const Tensor& losses,
                    int samples) {
    Rng rng(1);  // the same actions for each baseline
    MovingAverage average;
    const Tensor all = log_softmax(scores);
    const Tensor best = optimal_baseline(
        losses,
        unsqueeze(log_prob_gradient_square(scores + zeros({actions, actions}, Dtype::float64),
                                           Indices({0, 1, 2})),
                  1),
        exp(detach(all)));
    Estimates found;
    for (int batch = 0; batch < batches; ++batch) {
        const CategoricalSample sample =  // [S]
            sample_categorical(scores + zeros({samples, actions}, Dtype::float64), rng);
        const Tensor loss = losses[sample.indices];
        Tensor baseline;
        if (kind == "moving average") baseline = scalar(average.value, Dtype::float64);
        if (kind == "leave one out") baseline = leave_one_out(loss);
        if (kind == "optimal") baseline = reshape(best, {});
        const Tensor g = grad(reinforce(loss, sample.log_prob, baseline), {scores})[0];
        average.update(loss);
        found.points.push_back(in_plane(g));
        found.mean.first += found.points.back().first / batches;
        found.mean.second += found.points.back().second / batches;
    }
    for (const auto& [x, y] : found.points)
        found.variance +=
            (std::pow(x - found.mean.first, 2) + std::pow(y - found.mean.second, 2)) / batches;
    return found;
}

Drawn draw(const Inputs& inputs) {
    Tensor scores = tensor({inputs.number("score"), 0, 0}, {actions}, Dtype::float64);
    scores.set_requires_grad();
    const double common = inputs.number("common");
    const Tensor losses = tensor({common + 1, common + 2, common + 4}, {actions}, Dtype::float64);
    const int samples = 1 << inputs.whole("samples");
    const auto exact = in_plane(grad(expected_loss(scores, losses), {scores})[0]);

    const std::string& chosen = baselines[static_cast<std::size_t>(inputs.chosen("baseline"))];
    BarChart chart{.title = "Variance of the estimates", .value_label = "variance"};
    chart.sets = {{.name = "variance"}};
    Plane plane{
        .title = "Estimates with the baseline: " + chosen, .low = -4, .high = 4, .size = 360};
    double variance = 0;
    for (const std::string& kind : baselines) {
        const Estimates found = estimates(kind, scores, losses, samples);
        chart.labels.push_back(kind);
        chart.sets[0].values.push_back(found.variance);
        if (kind != chosen) continue;
        variance = found.variance;
        for (const auto& [x, y] : found.points)
            plane.arrows.push_back({.x = std::clamp(x, -4.0, 4.0),
                                    .y = std::clamp(y, -4.0, 4.0),
                                    .colour = 5,
                                    .strength = 0.08,
                                    .head = false});
        plane.arrows.push_back(
            {.x = found.mean.first, .y = found.mean.second, .name = "mean", .colour = 1});
    }
    plane.arrows.push_back({.x = exact.first, .y = exact.second, .name = "exact", .colour = 0});
    return {.svgs = {to_svg(plane), to_svg(chart)},
            .numbers = {{"variance", variance},
                        {"length of the exact gradient", std::hypot(exact.first, exact.second)},
                        {"samples in each estimate", double(samples), 4}}};
}

const Registered figure(
    {.name = "reinforce",
     .controls = {choice("baseline", "Baseline", baselines),
                  slider("common", "Number added to all three losses", {0, 4, 0.5, 2}),
                  slider("samples", "Samples, as a power of 2", {1, 6, 1, 1}),
                  slider("score", "Score of the first action", {-3, 3, 0.25, 0})},
     .draw = draw});

}  // namespace

}  // namespace heed::lesson14
