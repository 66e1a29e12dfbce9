// The exact expectation: a sum over all indices, where it is affordable.
//
//     ln p(y) = ln Σⱼ αⱼ p(y | j)                     (Wu, Shapiro, Cotterell 2018)
//
// If the index of each output is sampled given the earlier outputs but not the earlier indices, the
// sum over all sequences of indices is a product of sums over K indices. K outputs are computed for
// each one needed, and the gradient has no noise. Soft attention averages the values and predicts
// once; here the predictions are averaged.
//
//     backward(-mean(marginal_log_likelihood(scores, log_likelihood)));    // both [B, K]
//     const Tensor alignment = posterior(scores, log_likelihood);          // [B, K]
#pragma once

#include "autograd/tensor/indices.h"
#include "autograd/tensor/tensor.h"

namespace heed {

// scores [..., K], log_likelihood ln p(y | j) [..., K] -> ln p(y) [...]. A loss is its negative.
Tensor marginal_log_likelihood(const Tensor& scores, const Tensor& log_likelihood,
                               const Tensor& mask = {});

// p(j | y) = αⱼ p(y | j) / p(y) [..., K]: the alignment, given the output y.
Tensor posterior(const Tensor& scores, const Tensor& log_likelihood, const Tensor& mask = {});

// E[L] = Σⱼ αⱼ Lⱼ: scores [..., K], the loss at each index [..., K] -> [...].
Tensor expected_loss(const Tensor& scores, const Tensor& loss, const Tensor& mask = {});

// Every sequence of indices 0 .. `indices` - 1 of length `steps`, [indicesˢᵗᵉᵖˢ, steps], the last index
// changing fastest: for exact sums in small problems where an index depends on earlier ones. Throws for
// more than a million sequences.
Indices all_paths(Integer indices, Integer steps);

}  // namespace heed
