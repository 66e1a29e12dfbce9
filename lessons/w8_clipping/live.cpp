// Gradient descent from one point of the loss with a cliff, with its gradient clipped or not.
#include "lessons/course/live/live.h"

#include <algorithm>
#include <cmath>

#include "lessons/course/figures/by_step.h"
#include "lessons/course/figures/figures.h"
#include "lessons/course/live/plane.h"

namespace heed::workshop8 {

using namespace course;

namespace {

constexpr int steps = 200;
const std::vector<double> norms{0, 3, 1, 0.1};  // 0: not clipped

// The loss at a point and its gradient: forward through 50 states, and back by the chain rule.
struct Slope {
    double loss = 0, w = 0, b = 0;
};
Slope slope_at(double w, double b) {
    std::vector<double> out;  // σ(x) for x₀ ... x₅₀
    double x = 0.5;
    for (int t = 0; t <= 50; ++t) {
        out.push_back(1 / (1 + std::exp(-x)));
        x = w * out.back() + b;
    }
    Slope slope{.loss = std::pow(out.back() - 0.7, 2)};
    double g = 2 * (out.back() - 0.7) * out.back() * (1 - out.back());  // with respect to x₅₀
    for (std::size_t t = 50; t > 0; --t) {
        slope.w += g * out[t - 1];
        slope.b += g;
        g *= w * out[t - 1] * (1 - out[t - 1]);
    }
    return slope;
}

Drawn draw(const Inputs& inputs) {
    double w = inputs.number("w"), b = inputs.number("b"), longest = 0;
    const double most = norms[static_cast<std::size_t>(inputs.chosen("clip"))];
    std::vector<double> losses;
    Plane path{.title = "The descent", .low = -8, .high = 8, .size = 360};
    for (int n = 0; n <= steps; ++n) {
        const Slope g = slope_at(w, b);
        losses.push_back(std::max(g.loss, 1e-12));
        const double norm = std::hypot(g.w, g.b), scale = most > 0 && norm > most ? most / norm : 1;
        longest = std::max(longest, scale * norm);
        const double next_w = w - scale * g.w, next_b = b - scale * g.b;
        if (n < steps && std::max(std::abs(next_w), std::abs(next_b)) < 8)
            path.arrows.push_back(
                {.x = next_w, .y = next_b, .from_x = w, .from_y = b, .head = false});
        w = next_w;
        b = next_b;
    }
    path.dots.push_back({.x = inputs.number("w"), .y = inputs.number("b"), .name = "start"});
    const LinePlot plot{.title = "Loss",
                        .x_label = "steps",
                        .series = {by_step("loss", losses)},
                        .log_y = true,
                        .y_range = {1e-12, 1},
                        .names_at_ends = false};
    return {.svgs = {to_svg(path), to_svg(plot)},
            .numbers = {{"longest step", longest}, {"loss at the end", losses.back()}}};
}

const Registered figure({.name = "cliff",
                         .controls = {slider("w", "w at the start", {4, 8, 0.05, 6}),
                                      slider("b", "b at the start", {-5, -1, 0.05, -3.5}),
                                      choice("clip", "Clip the norm to",
                                             {"not at all", "3", "1", "0.1"})},
                         .draw = draw});

}  // namespace

}  // namespace heed::workshop8
