// How large a gradient is after walking back so many steps through a recurrent network.
#pragma once

#include <string>
#include <vector>

#include "lessons/course/figures/figures.h"
#include "nn/nn.h"

// For each row a random direction of length 1: where a gradient starts. [B, H], float64.
heed::Tensor directions(int64_t rows, int64_t width, heed::Rng& rng);

// The geometric mean, over rows, of their norms.
double typical_norm(const heed::Tensor& gradients);

// The norm of the gradient of the last hidden state with respect to the states before it, by
// distance 0 .. T, while the cell reads x [B, T, I]. A state of two parts counts with both.
// Computed in float64.
std::vector<double> norms_by_distance(heed::RecurrentCell cell, const heed::Tensor& x,
                                      heed::Rng& rng);

// A plain cell that only turns: a random orthogonal matrix, inputs as they come.
heed::RecurrentCell turning_cell(int64_t width, heed::Rng& rng);

// The factor a step: a line through the logarithms, by least squares.
double fitted_rate(const std::vector<double>& norms);

heed::course::Series by_distance(const std::string& name, const std::vector<double>& norms);
