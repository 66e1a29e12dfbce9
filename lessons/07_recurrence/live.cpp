// What is left of a gradient after d steps back through a recurrent network: plain, GRU and LSTM.
#include "lessons/course/live/live.h"

#include <cmath>

#include "autograd/autograd.h"
#include "lessons/07_recurrence/model.h"
#include "lessons/course/figures/by_step.h"
#include "lessons/course/figures/figures.h"

namespace heed::lesson07 {

using namespace course;

namespace {

constexpr std::int64_t width = 16, steps = 60, rows = 4;

RecurrentCell cell_of(CellKind kind, double scale, double bias, Rng& rng) {
    RecurrentCell cell(kind, 1, width, rng);
    const std::int64_t gates = gates_of(kind);
    std::vector<Tensor> matrices;
    for (std::int64_t gate = 0; gate < gates; ++gate)
        matrices.push_back(orthogonal({width, width}, rng, scale));
    cell.weight_hh.assign(concat(matrices, 0));
    if (gates > 1) {  // the second gate of both keeps the old state
        const Tensor kept = pad(full({1, width}, bias), 0, 1, gates - 2);
        cell.bias_hh.assign(cell.bias_hh + reshape(kept, {-1}));
    }
    return cell;
}

Drawn draw(const Inputs& inputs) {
    const double scale = inputs.number("scale"), bias = inputs.number("bias");
    LinePlot plot{.title = "Norm of the gradient, d steps back",
                  .x_label = "d",
                  .log_y = true,
                  .y_range = {1e-12, 1e6},
                  .x_range = {0, double(steps)},
                  .names_at_ends = false};
    std::vector<LiveNumber> numbers;
    for (const auto& [kind, name] :
         {std::pair(CellKind::rnn_tanh, "plain"), std::pair(CellKind::gru, "GRU"),
          std::pair(CellKind::lstm, "LSTM")}) {
        Rng rng(static_cast<std::uint64_t>(inputs.whole("seed")));
        const RecurrentCell cell = cell_of(kind, scale, bias, rng);
        const std::vector<double> norms =
            norms_by_distance(cell, normal({rows, steps, 1}, 0, 1, rng), rng);
        plot.series.push_back(by_step(name, norms));
        numbers.push_back({std::string("left after 60 steps, ") + name, norms.back()});
    }
    return {.svgs = {to_svg(plot)}, .numbers = numbers};
}

const Registered figure(
    {.name = "vanishing",
     .controls = {slider("scale", "Scale of the recurrent matrix", {0.25, 2, 0.05, 1}),
                  slider("bias", "Added to the bias of the gate that keeps", {-2, 6, 0.25, 0}),
                  slider("seed", "Other weights and inputs", {1, 20, 1, 1})},
     .draw = draw});

}  // namespace

}  // namespace heed::lesson07
