// The two estimates of the cameras against the baseline, and the baseline at which they are equal.
#include "lessons/course/live/live.h"

#include <cmath>

#include "lessons/course/figures/figures.h"

namespace heed::workshop6 {

using namespace course;

namespace {

Drawn draw_lines(const Inputs& inputs) {
    const double baseline = inputs.number("baseline"), loss = inputs.number("loss"),
                 p = 1 / (1 + std::exp(-inputs.number("score")));
    const auto of_a = [&](double b) { return (2 - b) * (1 - p); };
    const auto of_b = [&](double b) { return (loss - b) * -p; };
    LinePlot plot{.title = "The two estimates",
                  .x_label = "baseline b",
                  .y_label = "estimate",
                  .y_range = {-10, 10},
                  .names_at_ends = false};
    plot.series = {{.name = "A is drawn"}, {.name = "B is drawn"}, {.name = "your baseline"}};
    for (double b = 0; b <= 10; b += 0.5) {
        plot.series[0].x.push_back(b), plot.series[0].y.push_back(of_a(b));
        plot.series[1].x.push_back(b), plot.series[1].y.push_back(of_b(b));
    }
    plot.series[2].x = {baseline, baseline};
    plot.series[2].y = {-10, 10};
    const double gap = of_a(baseline) - of_b(baseline);
    return {.svgs = {to_svg(plot)},
            .numbers = {{"mean of the estimates", p * of_a(baseline) + (1 - p) * of_b(baseline)},
                        {"variance", p * (1 - p) * gap * gap},
                        {"mean loss", p * 2 + (1 - p) * loss}}};
}

const Registered figure({.name = "two_lines",
                         .controls = {slider("baseline", "Baseline", {0, 10, 0.1, 2.8}),
                                      slider("score", "Score of camera A", {-2, 3, 0.2, 1.4}),
                                      slider("loss", "Loss of camera B", {0, 8, 0.5, 6})},
                         .draw = draw_lines});

}  // namespace

}  // namespace heed::workshop6
