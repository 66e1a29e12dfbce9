// Noise of the gradient of two answers, one of them right, against the probability of the right one.
#include "lessons/course/live/live.h"

#include "lessons/36_assistant/pictures.h"

namespace heed::lesson36 {

using namespace course;

namespace {

Drawn draw_noise(const Inputs& inputs) {
    const double offset = inputs.number("offset"), baseline = inputs.number("baseline");
    Drawn drawn;
    drawn.svgs = {to_svg(noise_plot(offset, baseline))};
    for (double p : {0.1, 0.5, 0.9})
        drawn.numbers.push_back(
            {fmt::format("noise at p = {}", p), noise_of_two(p, offset, baseline)});
    return drawn;
}

const Registered noise_figure({.name = "noise",
                               .controls = {slider("baseline", "Baseline", {-1, 3, 0.1, 0}),
                                            slider("offset", "Reward of a wrong answer",
                                                   {-1, 2, 0.1, 0})},
                               .draw = draw_noise});

}  // namespace

}  // namespace heed::lesson36
