// The gradient on its way back through a deep stack, before any training: attention alone, with
// residual connections, and blocks with post-norm and with pre-norm.
#include "lessons/course/live/live.h"

#include <cmath>

#include "attention/attention.h"
#include "lessons/course/figures/figures.h"

namespace heed::lesson22 {

using namespace course;

namespace {

constexpr std::int64_t width = 16, tokens = 8;

const std::vector<std::string> kinds{"attention alone", "with residuals", "post-norm block",
                                     "pre-norm block"};

double length_of(const Tensor& x) { return std::sqrt(sum(square(x)).item()); }

// The norm of the gradient at the input and after each layer, over that at the end.
std::vector<double> gradients(std::size_t kind, int layers, double scale, std::uint64_t seed) {
    Rng rng(seed);
    std::vector<Tensor> states{normal({1, tokens, width}, 0, 1, rng, Dtype::float64)};
    states[0].set_requires_grad();
    for (int i = 0; i < layers; ++i) {
        TransformerEncoderLayer layer(
            {.width = width, .heads = 4, .layers = layers, .pre_norm = kind == 3}, rng);
        initialise_vaswani(parameters(layer), rng);
        to_dtype(layer, Dtype::float64);
        for (const Parameter& p : parameters(layer)) {
            const NoGrad no_grad;
            if (p.tensor.dim() == 2) Tensor(p.tensor).assign(scale * p.tensor);
        }
        const Tensor& x = states.back();
        states.push_back(kind == 0   ? layer.attention(x)
                         : kind == 1 ? x + layer.attention(x)
                                     : layer(x));
    }
    const Tensor end = normal({1, tokens, width}, 0, 1, rng, Dtype::float64);
    std::vector<double> norms;
    for (const Tensor& here : grad(states.back(), states, false, end))
        norms.push_back(length_of(here) / length_of(end));
    return norms;
}

Drawn draw(const Inputs& inputs) {
    LinePlot plot{.title = "Gradient at each layer, over that at the end",
                  .x_label = "layer",
                  .log_y = true,
                  .y_range = {1e-16, 1e16},
                  .x_range = {0, 24},
                  .names_at_ends = false};
    std::vector<LiveNumber> numbers;
    for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
        Series series{.name = kinds[kind]};
        series.y = gradients(kind, inputs.whole("layers"), inputs.number("scale"),
                             static_cast<std::uint64_t>(inputs.whole("seed")));
        for (std::size_t i = 0; i < series.y.size(); ++i) series.x.push_back(double(i));
        numbers.push_back({"at the input, " + series.name, series.y[0]});
        plot.series.push_back(series);
    }
    return {.svgs = {to_svg(plot)}, .numbers = numbers};
}

const Registered figure({.name = "deep_stack",
                         .controls = {slider("layers", "Layers", {1, 24, 1, 24}),
                                      slider("scale", "All matrices times", {0.5, 1.5, 0.125, 1}),
                                      slider("seed", "Other weights", {1, 20, 1, 1})},
                         .draw = draw});

}  // namespace

}  // namespace heed::lesson22
