// The adding problem (Hochreiter and Schmidhuber 1997, section 5.4). The input is a sequence of
// numbers between 0 and 1. Two of them are marked, one in each half. The answer is their sum. A
// model that always answers 1, the mean of all sums, has a squared error of 1/6.
//
// Every batch has new random problems, so a model cannot memorise them.
#pragma once

#include <cstdint>

#include "nn/nn.h"

constexpr double error_of_the_mean = 1 / 6.;

struct Problems {
    heed::Tensor x;  // [B, T, 2], numbers and marks (1 or 0)
    heed::Tensor t;  // [B], the sums
};
Problems adding_problems(int count, int length, heed::Rng& rng);

// A recurrent network that reads the sequence, and a linear layer on its last state.
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

// All cells start with orthogonal recurrent matrices. In a GRU and an LSTM, `keep_bias` is added to
// the bias of the gate that keeps the old state.
constexpr double keep_bias = 3;
Adder make_adder(heed::CellKind kind, heed::Rng& rng);

struct Training {
    int length = 20, steps = 1000;
    double rate = 0.01;  // of Adam; a fifth of it in the last third of the steps
};
// Trains on batches of 32, with the norm of the gradient clipped to 1. Returns the mean squared
// error on 1,000 new problems.
double train(const Adder& adder, const Training& training, heed::Rng& rng);

// Trains several adders, each with a seed of its own, at the better of the learning rates 0.003 and
// 0.01. That rate is chosen first, with one more seed.
struct TrainedAdders {
    double rate;
    std::vector<double> errors;
    Adder last;
};
TrainedAdders train_adders(heed::CellKind kind, int length, int steps, int adders,
                           std::uint64_t seed);
