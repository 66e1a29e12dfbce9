// Dropout: the activations of a few units, and their mean over many steps in which units are set to 0.
#include "lessons/course/live/live.h"

#include <vector>

#include "autograd/autograd.h"
#include "lessons/course/figures/figures.h"

namespace heed::workshop3 {

using namespace course;

namespace {

const std::vector<double> activations{0.7, -0.4, 0.9, 0.1, -0.8, 0.5, -0.2, 0.6, -0.6, 0.3};

Drawn draw(const Inputs& inputs) {
    const double p = inputs.number("p");
    const int steps = inputs.whole("steps");
    const bool divides = inputs.chosen("divide") == 0;
    Rng rng(1);
    const Tensor h = tensor(activations, Dtype::float64);
    Tensor sum_of_steps = zeros_like(h), last = h;
    for (int n = 0; n < steps; ++n) {
        const Tensor kept = bernoulli(h.shape(), 1 - p, rng, Dtype::float64);
        last = divides ? h * kept / (1 - p) : h * kept;
        sum_of_steps = sum_of_steps + last;
    }
    const Tensor mean_of_steps = sum_of_steps / static_cast<double>(steps);
    const auto series = [](const char* name, const Tensor& x) {
        Series line{.name = name, .y = x.to_vector()};
        for (std::size_t i = 1; i <= line.y.size(); ++i) line.x.push_back(static_cast<double>(i));
        return line;
    };
    const LinePlot plot{.title = "Ten units",
                        .x_label = "unit",
                        .y_label = "activation",
                        .series = {series("without dropout", h), series("in the last step", last),
                                   series("mean of all steps", mean_of_steps)},
                        .y_range = {-5, 5},
                        .names_at_ends = false};
    return {.svgs = {to_svg(plot)},
            .numbers = {{"units that are 0 in the last step", sum(last == 0).item()},
                        {"largest distance of the mean", max(abs(mean_of_steps - h)).item()}}};
}

const Registered figure({.name = "dropout_mean",
                         .controls = {slider("p", "Probability of a zero", {0, 0.8, 0.05, 0.5}),
                                      slider("steps", "Steps", {1, 400, 1, 1}),
                                      choice("divide", "What is kept is divided by 1 - p",
                                             {"yes", "no"})},
                         .draw = draw});

}  // namespace

}  // namespace heed::workshop3
