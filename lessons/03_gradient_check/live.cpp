// How large a step: the error of a central difference against its step, in float32 and in float64.
#include "lessons/course/live/live.h"

#include <cmath>

#include "autograd/autograd.h"
#include "lessons/course/figures/figures.h"

namespace heed::lesson03 {

using namespace course;

namespace {

using Function = Tensor (*)(const Tensor&);
const std::vector<Function> functions{[](const Tensor& x) { return exp(x); },
                                      [](const Tensor& x) { return sin(10.0 * x); },
                                      [](const Tensor& x) { return 1000.0 + tanh(x); },
                                      [](const Tensor& x) { return relu(x - 1.0); }};

// The error of (f(x + h) - f(x - h)) / 2h.
double error_of(Function f, double at, double h, Dtype dtype, double exact) {
    const Tensor x = scalar(at, dtype), step = scalar(h, dtype);
    const Tensor difference = (f(x + step) - f(x - step)) / (2.0 * step);
    return std::abs(difference.item() - exact);
}

Drawn draw(const Inputs& inputs) {
    const Function f = functions[static_cast<std::size_t>(inputs.chosen("function"))];
    const double at = inputs.number("x"), h = std::pow(10, inputs.number("h"));
    Tensor x = scalar(at, Dtype::float64);
    x.set_requires_grad();
    const double exact = grad(f(x), {x})[0].item();
    const NoGrad no_grad;
    const double singles = error_of(f, at, h, Dtype::float32, exact),
                 doubles = error_of(f, at, h, Dtype::float64, exact);
    LinePlot plot{.title = "Error of the central difference",
                  .x_label = "step h",
                  .log_x = true,
                  .log_y = true,
                  .y_range = {1e-14, 1e2},
                  .x_range = {1e-10, 1},
                  .names_at_ends = false};
    for (const Dtype dtype : {Dtype::float32, Dtype::float64}) {
        Series series{.name = name_of(dtype)};
        for (double power = -10; power <= 0.001; power += 0.25) {
            series.x.push_back(std::pow(10, power));
            series.y.push_back(std::max(error_of(f, at, std::pow(10, power), dtype, exact), 1e-14));
        }
        plot.series.push_back(series);
    }
    plot.series.push_back({.name = "your h", .x = {h, h}, .y = {1e-14, 1e2}});
    return {.svgs = {to_svg(plot)},
            .numbers = {{"derivative from the tape", exact, 6},
                        {"step h", h},
                        {"error in float32", singles},
                        {"error in float64", doubles}}};
}

const Registered figure({.name = "step_size",
                         .controls = {choice("function", "Function",
                                             {"exp(x)", "sin(10 x)", "1000 + tanh(x)",
                                              "relu(x - 1)"}),
                                      slider("x", "x", {-2, 2, 0.1, 0.5}),
                                      slider("h", "Step h, as a power of ten", {-10, 0, 0.25, -2})},
                         .draw = draw});

}  // namespace

}  // namespace heed::lesson03
