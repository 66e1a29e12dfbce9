// The formula for the speed-up by several processes that share a batch.
#include "lessons/course/live/live.h"

#include "lessons/course/figures/figures.h"

namespace heed::workshop7 {

using namespace course;

namespace {

// The seconds of a step in n processes: shared work, bytes sent around the ring, the update.
struct Step {
    double work, gradient, speed, update;
    double seconds(double n) const {
        return work / n + 2 * (n - 1) / n * gradient / speed + update;
    }
};

Drawn draw(const Inputs& inputs) {
    const double parameters = 1e6 * inputs.number("parameters");
    // A forward and backward pass does about 6 operations for each parameter and token.
    const Step step{.work = 6 * parameters * 1000 * inputs.number("tokens") / 50e9,
                    .gradient = 4 * parameters,
                    .speed = 1e6 * inputs.number("speed"),
                    .update = 10 * parameters / 50e9};
    const auto gain = [&](double n) { return step.seconds(1) / step.seconds(n); };
    Series formula{.name = "by the formula"}, ideal{.name = "n times as fast"};
    for (int n = 1; n <= 32; ++n) {
        formula.x.push_back(n);
        formula.y.push_back(gain(n));
        ideal.x.push_back(n);
        ideal.y.push_back(n);
    }
    const LinePlot plot{.title = "Speed-up",
                        .x_label = "processes n",
                        .series = {formula, ideal},
                        .y_range = {0, 32},
                        .x_range = {1, 32},
                        .names_at_ends = false};
    const double n = inputs.number("processes");
    return {.svgs = {to_svg(plot)},
            .numbers = {{"speed-up", gain(n)},
                        {"seconds of a step, one process", step.seconds(1)},
                        {"seconds of a step", step.seconds(n)},
                        {"of these for sending", 2 * (n - 1) / n * step.gradient / step.speed}}};
}

const Registered figure(
    {.name = "speed_up",
     .controls = {slider("processes", "Processes", {1, 32, 1, 8}),
                  slider("parameters", "Millions of parameters", {1, 200, 1, 10}),
                  slider("tokens", "Thousands of tokens in a batch", {1, 100, 1, 8}),
                  slider("speed", "Millions of bytes sent in a second", {10, 5000, 10, 100})},
     .draw = draw});

}  // namespace

}  // namespace heed::workshop7
