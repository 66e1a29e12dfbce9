// The adding problem (Hochreiter and Schmidhuber 1997, section 5.4): of a row of numbers between 0
// and 1, two are marked, one in either half; what is their sum? Whoever answers 1, the mean of all
// sums, has a squared error of 1/6.
//
// Problems are drawn afresh for every batch, so nothing can be learned by heart.
#pragma once

#include <cstdint>

#include "nn/nn.h"

constexpr double error_of_a_guess = 1 / 6.;

struct Problems {
    heed::Tensor x;  // [B, T, 2], numbers and marks (1 or 0)
    heed::Tensor t;  // [B], the sums
};
Problems adding_problems(int count, int length, heed::Rng& rng);

// Reads the row and answers from its last state.
struct Adder {
    heed::Recurrent reader;
    heed::Linear output;

    template <class F>
    void visit(F&& f) {
        f("reader", reader);
        f("output", output);
    }
    heed::Tensor operator()(const heed::Tensor& x) const;  // [B, T, 2] -> [B]
    const heed::RecurrentCell& cell() const { return reader.cells[0]; }
};

// About 3,300 parameters for each kind of cell. The plain one begins with an orthogonal matrix of
// spectral radius `radius`, the others with `keep` added to the bias of the gate that keeps.
struct Beginning {
    double radius = 1, keep = 3;
};
Adder make_adder(heed::CellKind kind, const Beginning& begin, heed::Rng& rng);

// Adds to the bias of the gate that keeps: z of a GRU, f of an LSTM.
void keep_longer(heed::RecurrentCell& cell, double by);

struct Lessons {
    int length = 20, steps = 1000;
    double rate = 0.01;  // Adam's, falling to a fifth for the last third
};
// Trains on batches of 32, gradients clipped to 1. Returns the mean squared error on 1,000 new
// problems.
double teach(const Adder& adder, const Lessons& lessons, heed::Rng& rng);

// Several adders taught with numbers of their own, at the better of the rates 0.003 and 0.01, which
// one more adder has found.
struct Class {
    double rate;
    std::vector<double> errors;
    Adder last;
};
Class teach_class(heed::CellKind kind, int length, int steps, int adders, std::uint64_t seed);
