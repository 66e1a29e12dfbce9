#include "lessons/07_recurrence/model.h"

#include <cmath>

#include "autograd/autograd.h"

namespace heed::lesson07 {

// --- initial values -----------------------------------------------------------------------------

void make_orthogonal(RecurrentCell& cell, Rng& rng, double scale) {
    const int64_t width = cell.hidden_size();
    std::vector<Tensor> matrices;
    for (int gate = 0; gate < gates_of(cell.kind); ++gate)
        matrices.push_back(orthogonal({width, width}, rng, scale));
    cell.weight_hh.assign(concat(matrices, 0));
}

void raise_keep_bias(RecurrentCell& cell, double by) {
    const int64_t width = cell.hidden_size(), gates = gates_of(cell.kind);
    Tensor kept = zeros({gates, width}, cell.bias_hh.dtype());  // the second gate of both kinds
    kept = reshape(pad(full({1, width}, by, kept.dtype()), 0, 1, gates - 2), {-1});
    cell.bias_hh.assign(cell.bias_hh + kept);
}

// --- the norm of a gradient ---------------------------------------------------------------------

Tensor directions(int64_t rows, int64_t width, Rng& rng) {
    const Tensor v = normal({rows, width}, 0, 1, rng, Dtype::float64);
    return v * rsqrt(sum(square(v), 1, true));
}

double typical_norm(const Tensor& gradients) {
    return std::exp(0.5 * mean(log(sum(square(gradients), 1))).item());
}

std::vector<double> norms_by_distance(RecurrentCell cell, const Tensor& x, Rng& rng) {
    to_dtype(cell, Dtype::float64);
    RecurrentState state = cell.zero_state(x.size(0));
    state.hidden =
        clone(state.hidden).set_requires_grad();  // an LSTM's two zero states share memory
    if (state.cell.defined()) state.cell.set_requires_grad();
    std::vector<Tensor> states;  // one or two for each step
    for (const Tensor& now : unbind(to_dtype(x, Dtype::float64), 1)) {
        states.push_back(state.hidden);
        if (state.cell.defined()) states.push_back(state.cell);
        state = cell(now, state);
    }
    const Tensor g = directions(x.size(0), cell.hidden_size(), rng);
    const std::vector<Tensor> gradients = grad(state.hidden, states, false, g);

    std::vector<double> norms{1};
    const std::size_t parts = states_of(cell.kind);
    for (std::size_t t = gradients.size() / parts; t-- > 0;)
        norms.push_back(typical_norm(
            parts == 1 ? gradients[t] : concat({gradients[2 * t], gradients[2 * t + 1]}, 1)));
    return norms;
}

// --- the network of the adding problem ----------------------------------------------------------

Tensor Adder::operator()(const Tensor& x) const {
    return reshape(output(reader(x).states[0].hidden), {-1});
}

Adder make_adder(CellKind kind, Rng& rng) {
    const int64_t width = kind == CellKind::gru ? 32 : kind == CellKind::lstm ? 28 : 56;
    Adder adder{Recurrent(kind, 2, width, {}, rng), Linear(width, 1, rng)};
    RecurrentCell& cell = adder.reader.cells[0];
    make_orthogonal(cell, rng);
    if (gates_of(kind) > 1) raise_keep_bias(cell, keep_bias);
    return adder;
}

}  // namespace heed::lesson07
