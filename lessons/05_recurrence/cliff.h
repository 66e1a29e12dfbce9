// The smallest recurrent network there is, and the cliff in its loss (Pascanu, Mikolov and Bengio
// 2013, figure 6):
//
//     xₜ = w σ(xₜ₋₁) + b,  x₀ = 0.5        L(w, b) = (σ(x₅₀) - 0.7)²
//
// Looked at on a square of so many by so many points, w from 4 to 8 and b from -5 to -1.
#pragma once

#include <string>

#include "autograd/tensor/tensor.h"
#include "lessons/course/figures/figures.h"

// Everywhere at once: w and b [N] -> [N].
heed::Tensor cliff_loss(const heed::Tensor& w, const heed::Tensor& b);

// Gradient descent from every point: 500 steps at rate 1, each gradient clipped to clip_norm, or
// not if that is 0.
struct Descents {
    int side = 0;
    heed::Tensor loss;        // [side²] at the end
    double reached = 0;       // the share that ends with a loss below 1e-4
    double longest_step = 0;  // of all
};
Descents descend(int side, double clip_norm);

// Dark where the loss is high.
heed::course::Picture picture_of_loss(const std::string& title, int side);
// White where a start reaches the bottom, dark where it does not.
heed::course::Picture picture_of(const std::string& title, const Descents& descents);
