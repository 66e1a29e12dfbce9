#include "lessons/22_transformer/deep_stack.h"

#include <cmath>

#include "attention/attention.h"
#include "autograd/autograd.h"
#include "lessons/course/course.h"

namespace heed::lesson22 {

using namespace course;

namespace {

double norm_of(const Tensor& x) { return std::sqrt(sum(x * x).item()); }

}  // namespace

const char* name_of(StackKind kind) {
    switch (kind) {
        case StackKind::attention:
            return "attention alone";
        case StackKind::residual:
            return "with residuals";
        case StackKind::post_norm:
            return "post-norm block";
        case StackKind::pre_norm:
            return "pre-norm block";
    }
    return "?";
}

StackMeasures measure_stack(StackKind kind, int layers, Rng& rng) {
    constexpr int64_t width = 64, length = 16;
    std::vector<TransformerEncoderLayer> stack;
    for (int i = 0; i < layers; ++i)
        stack.emplace_back(TransformerOptions{.width = width,
                                              .heads = 4,
                                              .layers = layers,
                                              .pre_norm = kind == StackKind::pre_norm,
                                              .positions = {.kind = PositionKind::none}},
                           rng);
    for (TransformerEncoderLayer& layer : stack) {
        initialise_vaswani(parameters(layer), rng);
        to_dtype(layer, Dtype::float64);
    }

    std::vector<Tensor> states{normal({1, length, width}, 0, 1, rng, Dtype::float64)};
    states[0].set_requires_grad();
    for (const TransformerEncoderLayer& layer : stack) {
        const Tensor& x = states.back();
        if (kind == StackKind::attention)
            states.push_back(layer.attention(x));
        else if (kind == StackKind::residual)
            states.push_back(x + layer.attention(x));
        else
            states.push_back(layer(x));
    }

    StackMeasures all;
    const Tensor end = normal(states.back().shape(), 0, 1, rng, Dtype::float64);
    const std::vector<Tensor> gradients = grad(states.back(), states, false, end);
    const NoGrad no_grad;
    for (std::size_t i = 0; i < states.size(); ++i) {
        const Tensor& x = states[i];
        all.difference.push_back(norm_of(x - mean(x, 1, true)) / norm_of(x));
        all.size.push_back(norm_of(x) / std::sqrt(static_cast<double>(x.numel())));
        all.gradient.push_back(norm_of(gradients[i]) / norm_of(end));
    }
    return all;
}

std::vector<StackMeasures> show_stacks(AtCall lesson, int layers) {
    constexpr int stacks = 5;
    Table table({"layers", "difference: after 6", "after 24", "size: after 6", "after 24",
                 "gradient that comes back"});
    LinePlot difference{.title = "How different the tokens are",
                        .x_label = "layers",
                        .y_label = "share of a token",
                        .y_range = {0, 1}},
        size{.title = "How large the numbers are",
             .x_label = "layers",
             .y_label = "root mean square",
             .log_y = true},
        gradient{.title = "How much of the gradient comes back",
                 .x_label = "layer",
                 .y_label = "norm over that at the end",
                 .log_y = true};
    std::vector<double> at;
    for (int i = 0; i <= layers; ++i) at.push_back(i);
    std::vector<StackMeasures> means;
    for (StackKind kind : stack_kinds) {
        std::vector<std::vector<double>> differences, sizes, gradients;
        for (int i = 0; i < stacks; ++i) {
            Rng rng(lesson->seed() * 100 + static_cast<std::uint64_t>(i));
            const StackMeasures one = measure_stack(kind, layers, rng);
            differences.push_back(one.difference);
            sizes.push_back(one.size);
            gradients.push_back(one.gradient);
        }
        for (const auto& [plot, runs] :
             {std::pair{&difference, &differences}, {&size, &sizes}, {&gradient, &gradients}})
            plot->series.push_back(over_seeds(name_of(kind), at, *runs));
        means.push_back(
            {difference.series.back().y, size.series.back().y, gradient.series.back().y});
        const StackMeasures& m = means.back();
        table.row(name_of(kind), number(m.difference[6], 2), number(m.difference.back(), 2),
                  number(m.size[6], 2), number(m.size.back(), 2), number(m.gradient[0], 2));
    }
    lesson->table(table, "After 6 and 24 layers, mean of five stacks; tokens and weights random.");
    lesson->show(
        "difference", difference,
        "The distance of the tokens from their mean, over their length. 0: all are equal.");
    lesson->show("size", size, "The size of the numbers after each layer.");
    lesson->show("gradient", gradient,
                 "The norm of the gradient at the input (0) and after each layer, over that at the "
                 "end.");
    return means;
}

}  // namespace heed::lesson22
