// First and second derivative of tanh(x)² / 2, with the right tanh and with one whose slope is a constant.
#include "lessons/course/live/live.h"

#include <cmath>

#include "autograd/autograd.h"
#include "lessons/course/figures/figures.h"

namespace heed::workshop2 {

using namespace course;

namespace {

using Function = Tensor (*)(const Tensor&);

Tensor right_tanh(const Tensor& x) { return tanh(x); }
Tensor constant_slope(const Tensor& x) {
    const Tensor y = tanh(detach(x)), slope = 1 - square(y);
    return record("tanh", y, x, [slope](const Tensor& g) { return g * slope; });
}

// The first or the second derivative of f(x)² / 2.
double derivative(Function f, double at, bool of_second_order) {
    const Tensor x = scalar(at, Dtype::float64).set_requires_grad();
    const Tensor once = grad(square(f(x)) / 2, {x}, of_second_order)[0];
    return of_second_order ? grad(once, {x})[0].item() : once.item();
}

Drawn draw(const Inputs& inputs) {
    const bool second = inputs.chosen("order") == 1;
    Series right{.name = "right tanh"}, wrong{.name = "tanh of the opening"};
    for (int i = -40; i <= 40; ++i) {
        const double x = i / 20.0;
        right.x.push_back(x);
        wrong.x.push_back(x);
        right.y.push_back(derivative(right_tanh, x, second));
        wrong.y.push_back(derivative(constant_slope, x, second));
    }
    const LinePlot plot{.title = second ? "Second derivative" : "First derivative",
                        .x_label = "x",
                        .series = {right, wrong},
                        .y_range = {-0.5, 1.05},
                        .names_at_ends = false};
    const double x = inputs.number("x");
    return {.svgs = {to_svg(plot)},
            .numbers = {{"right tanh", derivative(right_tanh, x, second)},
                        {"tanh of the opening", derivative(constant_slope, x, second)}}};
}

const Registered figure({.name = "constant_slope",
                         .controls = {choice("order", "Derivative", {"first", "second"}),
                                      slider("x", "x", {-2, 2, 0.05, 0.5})},
                         .draw = draw});

}  // namespace

}  // namespace heed::workshop2
