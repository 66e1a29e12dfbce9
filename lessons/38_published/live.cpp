// A head that looks at the token before, rotated with another base or with other pairs than it was made for.
#include "lessons/course/live/live.h"

#include <cmath>

#include "lessons/38_published/pictures.h"

namespace heed::lesson38 {

using namespace course;

namespace {

Drawn draw_rotation(const Inputs& inputs) {
    const double base = std::pow(10, inputs.number("base"));
    const RotaryLayout layout =
        inputs.chosen("pairs") == 0 ? RotaryLayout::halves : RotaryLayout::pairs;
    return {.svgs = {to_svg(distance_plot(base, layout))},
            .numbers = {{"base", base},
                        {"weight on the token before", weights_by_distance(base, layout)[1]}}};
}

const Registered rotation_figure(
    {.name = "rotation",
     .controls = {slider("base", "Logarithm of the base", {1, 6, 0.1, 2.7}),
                  choice("pairs", "Pairs", {"halves, as made", "neighbours"})},
     .draw = draw_rotation});

}  // namespace

}  // namespace heed::lesson38
