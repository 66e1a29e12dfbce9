// Recurrent cells: how their initial values are chosen, and how the norm of a gradient changes on
// its way back through them. And the network of the adding problem.
#pragma once

#include <vector>

#include "nn/nn.h"

namespace heed::lesson07 {

// --- initial values -----------------------------------------------------------------------------

// Replaces the recurrent matrix by `scale` times a random orthogonal one. A cell with several gates
// has one matrix for each, and each becomes orthogonal.
void make_orthogonal(RecurrentCell& cell, Rng& rng, double scale = 1);

// Adds `by` to the bias of the gate that keeps the old state: z of a GRU, f of an LSTM.
void raise_keep_bias(RecurrentCell& cell, double by);

// --- the norm of a gradient ---------------------------------------------------------------------

// Random vectors of length 1, one for each row: the gradient of the last state. [B, H], float64.
Tensor directions(int64_t rows, int64_t width, Rng& rng);

// The geometric mean of the norms of the rows.
double typical_norm(const Tensor& gradients);

// The cell reads x [B, T, I]. Returns the norm of the gradient with respect to each earlier state,
// by its distance 0 .. T from the last hidden state. For an LSTM the gradients of hidden and cell
// state are concatenated. Computed in float64.
std::vector<double> norms_by_distance(RecurrentCell cell, const Tensor& x, Rng& rng);

// --- the network of the adding problem ----------------------------------------------------------

// A recurrent network that reads the sequence, and a linear layer on its last state.
struct Adder {
    Recurrent reader;
    Linear output;

    template <class F>
    void visit(F&& f) {
        f("reader", reader);
        f("output", output);
    }
    Tensor operator()(const Tensor& x) const;  // [B, T, 2] -> [B]
    const RecurrentCell& cell() const { return reader.cells[0]; }
};

// All cells start with orthogonal recurrent matrices. In a GRU and an LSTM, `keep_bias` is added to
// the bias of the gate that keeps the old state.
constexpr double keep_bias = 3;
Adder make_adder(CellKind kind, Rng& rng);

}  // namespace heed::lesson07
