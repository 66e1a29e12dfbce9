// The cliff in the loss of a recurrent network with two parameters (Pascanu, Mikolov and Bengio 2013, figure
// 6):
//
//     xₜ = w σ(xₜ₋₁) + b,  x₀ = 0.5        L(w, b) = (σ(x₅₀) - 0.7)²
//
// It is computed on a grid of side x side points, with w from 4 to 8 and b from -5 to -1.
#pragma once

#include "autograd/tensor/tensor.h"

namespace heed::workshop8 {

// The points of the grid, from the upper left, row by row: w and b [side²].
struct CliffPoints {
    Tensor w, b;
};
CliffPoints cliff_points(int side);

// The loss at N points: w and b [N] -> [N].
Tensor cliff_loss(const Tensor& w, const Tensor& b);

// Where gradient descents end that start at every point of the grid.
struct Descents {
    int side = 0;
    Tensor loss;              // [side²] at the end
    double reached = 0;       // the share that ends with a loss below 1e-4
    double longest_step = 0;  // of all
};

}  // namespace heed::workshop8
