// A row of 64 weights, one of them large, rounded to few bits with a scale for each group.
#include "lessons/course/live/live.h"

#include <cmath>

#include "autograd/autograd.h"
#include "lessons/course/figures/figures.h"

namespace heed::lesson35 {

using namespace course;

namespace {

Drawn draw(const Inputs& inputs) {
    constexpr int64_t n = 64;
    Rng rng(static_cast<uint64_t>(inputs.whole("draw")));
    Tensor w = normal({n}, 0, 1, rng, Dtype::float64);
    w.edit<double>()[20] = inputs.number("large");
    const int64_t group = n >> inputs.chosen("group");
    const double levels = std::ldexp(1, inputs.whole("bits") - 1) - 1;
    const Tensor groups = reshape(w, {n / group, group});
    const Tensor step = max(abs(groups), -1, true) / levels;
    const Tensor back = reshape(round(groups / step) * step, {n});
    const Tensor error = abs(back - w);
    Series bars;  // from 0 up to each error
    for (const double e : error.to_vector()) {
        const double i = std::floor(static_cast<double>(bars.x.size()) / 3);
        bars.x.insert(bars.x.end(), 3, i);
        bars.y.insert(bars.y.end(), {0, e, NAN});
    }
    bars.name = "error";
    const double top = 1.05 * max(abs(back - w)).item();
    const Series large{.name = "the large weight", .x = {20, 20}, .y = {0, top}, .dashed = true};
    LinePlot plot{.title = group == n ? "One step for all: every weight pays for the large one"
                                      : "The large weight costs its own group precision",
                  .x_label = "weight",
                  .y_label = "error after rounding",
                  .series = {bars, large},
                  .y_range = {0, top},
                  .names_at_ends = false};
    const double others = (sum(square(back - w)).item() - std::pow(error.at({20}), 2)) / (n - 1);
    Drawn drawn;
    drawn.numbers = {{"groups", static_cast<double>(n / group)},
                     {"largest step", max(step).item()},
                     {"smallest step", min(step).item()},
                     {"root mean square error of the other weights", std::sqrt(others)}};
    drawn.svgs = {to_svg(plot)};
    return drawn;
}

const Registered figure({.name = "groups",
                         .controls = {slider("large", "The large weight", {0, 100, 1, 40}),
                                      slider("bits", "Bits", {2, 8, 1, 4}),
                                      choice("group", "Weights in a group", {"64", "32", "16", "8"},
                                             1),
                                      slider("draw", "Draw", {1, 20, 1, 1})},
                         .draw = draw});

}  // namespace

}  // namespace heed::lesson35
