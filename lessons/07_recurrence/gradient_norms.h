// The norm of a gradient after it has been propagated back through d steps of a recurrent network.
#pragma once

#include <string>
#include <vector>

#include "lessons/course/figures/figures.h"
#include "nn/nn.h"

// Random vectors of length 1, one for each row: the gradient of the last state. [B, H], float64.
heed::Tensor directions(int64_t rows, int64_t width, heed::Rng& rng);

// The geometric mean of the norms of the rows.
double typical_norm(const heed::Tensor& gradients);

// The cell reads x [B, T, I]. Returns the norm of the gradient with respect to each earlier state,
// by its distance 0 .. T from the last hidden state. For an LSTM the gradients of hidden and cell
// state are concatenated. Computed in float64.
std::vector<double> norms_by_distance(heed::RecurrentCell cell, const heed::Tensor& x,
                                      heed::Rng& rng);

// The factor by which the norm changes at each step: a line fitted to the logarithms by least
// squares.
double fitted_rate(const std::vector<double>& norms);

heed::course::Series by_distance(const std::string& name, const std::vector<double>& norms);
