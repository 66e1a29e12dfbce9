// No estimate at all: the sum over every place, where it can be afforded.
//
//     ln p(y) = ln Σⱼ αⱼ p(y | j)                     (Wu, Shapiro, Cotterell 2018)
//
// When each word's place is chosen anew, given what was written and not where it was looked, the
// sum over all paths falls apart into one over K places a word: K outputs computed for one written,
// and a gradient without noise. Mind the difference to soft attention, which averages the values
// and predicts once: here it is the predictions that are averaged.
//
//     backward(-mean(marginal_log_likelihood(scores, log_likelihood)));    // both [B, K]
//     const Tensor alignment = posterior(scores, log_likelihood);          // [B, K]
#pragma once

#include "autograd/tensor/indices.h"
#include "autograd/tensor/tensor.h"

namespace heed {

// scores [..., K], log_likelihood ln p(y | j) [..., K] -> ln p(y) [...]. Minimise its negative.
Tensor marginal_log_likelihood(const Tensor& scores, const Tensor& log_likelihood,
                               const Tensor& mask = {});

// Where y came from, p(j | y) = αⱼ p(y | j) / p(y): an alignment that has seen the answer.
Tensor posterior(const Tensor& scores, const Tensor& log_likelihood, const Tensor& mask = {});

// E[L] = Σⱼ αⱼ Lⱼ: scores [..., K], the loss at each place [..., K] -> [...].
Tensor expected_loss(const Tensor& scores, const Tensor& loss, const Tensor& mask = {});

// Every path of `steps` choices among `places`, [placesˢᵗᵉᵖˢ, steps], the last choice changing
// fastest: small problems can be summed even where each choice depends on those before it. Throws
// for more than a million paths.
Indices all_paths(int64_t places, int64_t steps);

}  // namespace heed
