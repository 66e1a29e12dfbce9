// What the lesson trains: adders on the adding problem. And the cliff in the loss of a recurrent
// network with two parameters (Pascanu, Mikolov and Bengio 2013, figure 6):
//
//     xₜ = w σ(xₜ₋₁) + b,  x₀ = 0.5        L(w, b) = (σ(x₅₀) - 0.7)²
//
// It is computed on a grid of side x side points, with w from 4 to 8 and b from -5 to -1.
#pragma once

#include <cstdint>

#include "autograd/tensor/tensor.h"
#include "lessons/07_recurrence/model.h"
#include "nn/nn.h"

namespace heed::lesson07 {

// --- the adding problem -------------------------------------------------------------------------

struct Training {
    int length = 20, steps = 1000;
    double rate = 0.01;  // of Adam; a fifth of it in the last third of the steps
};
// Trains on batches of 32, with the norm of the gradient clipped to 1. Returns the mean squared
// error on 1,000 new problems.
double train(const Adder& adder, const Training& training, Rng& rng);

// Trains several adders, each with a seed of its own, at the better of the learning rates 0.003 and
// 0.01. That rate is chosen first, with one more seed.
struct TrainedAdders {
    double rate;
    std::vector<double> errors;
    Adder last;
};
TrainedAdders train_adders(CellKind kind, int length, int steps, int adders, std::uint64_t seed);

// --- the cliff ----------------------------------------------------------------------------------

// The points of the grid, from the upper left, row by row: w and b [side²].
struct CliffPoints {
    Tensor w, b;
};
CliffPoints cliff_points(int side);

// The loss at N points: w and b [N] -> [N].
Tensor cliff_loss(const Tensor& w, const Tensor& b);

// Gradient descent from every point of the grid: 500 steps at learning rate 1. The norm of each
// gradient is clipped to clip_norm; 0 means no clipping.
struct Descents {
    int side = 0;
    Tensor loss;              // [side²] at the end
    double reached = 0;       // the share that ends with a loss below 1e-4
    double longest_step = 0;  // of all
};
Descents descend(int side, double clip_norm);

}  // namespace heed::lesson07
