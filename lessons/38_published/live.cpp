// The typical distance of a mean from the truth, for a number of throws.
#include "lessons/course/live/live.h"

#include <cmath>

#include "lessons/course/figures/figures.h"

namespace heed::lesson38 {

using namespace course;

namespace {

Drawn draw(const Inputs& inputs) {
    const double n = inputs.number("n"), distance = 1 / std::sqrt(12 * n);
    BarChart chart{.title = "Typical distance from 1/2", .value_label = "distance", .high = 0.3};
    chart.labels = {"one number", "the mean"};
    chart.sets = {{.name = "distance", .values = {1 / std::sqrt(12.0), distance}}};
    return {.svgs = {to_svg(chart)}, .numbers = {{"distance of the mean", distance}}};
}

const Registered figure({.name = "published",
                         .controls = {slider("n", "Numbers", {1, 100, 1, 10})},
                         .draw = draw});

}  // namespace

}  // namespace heed::lesson38
