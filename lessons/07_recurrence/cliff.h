// A recurrent network with two parameters, and the cliff in its loss (Pascanu, Mikolov and Bengio
// 2013, figure 6):
//
//     xₜ = w σ(xₜ₋₁) + b,  x₀ = 0.5        L(w, b) = (σ(x₅₀) - 0.7)²
//
// It is computed on a grid of side x side points, with w from 4 to 8 and b from -5 to -1.
#pragma once

#include <string>

#include "autograd/tensor/tensor.h"
#include "lessons/course/figures/figures.h"

// The loss at N points: w and b [N] -> [N].
heed::Tensor cliff_loss(const heed::Tensor& w, const heed::Tensor& b);

// Gradient descent from every point of the grid: 500 steps at learning rate 1. The norm of each
// gradient is clipped to clip_norm; 0 means no clipping.
struct Descents {
    int side = 0;
    heed::Tensor loss;        // [side²] at the end
    double reached = 0;       // the share that ends with a loss below 1e-4
    double longest_step = 0;  // of all
};
Descents descend(int side, double clip_norm);

// Dark where the loss is high.
heed::course::Picture picture_of_loss(const std::string& title, int side);
// White where a descent that starts at this point reaches the minimum, dark where it does not.
heed::course::Picture picture_of(const std::string& title, const Descents& descents);
