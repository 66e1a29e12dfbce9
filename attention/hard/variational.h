// Hard attention trained by a lower bound on the likelihood of what is to be said.
//
//     ln p(y) = ln Σₛ p(s) p(y | s)  ≥  Σₛ p(s) ln p(y | s)         (Xu et al. 2015, section 4.1)
//             ≥  E[ ln (1/M) Σₘ p(y | sₘ) ],  closer with every sample more  (Burda et al. 2016, 3)
//
// s is the place (or the path of places) looked at, y the word or the class. The bound needs no
// sum over all places, only samples; marginal.h has the left side where it can be summed.
//
//     const CategoricalSample choice = sample_categorical(scores, rng);                                   // [M, B, K]
//     const Tensor log_p = log_likelihood(labels, choice.indices);                  // [M, B]
//     backward(several_sample_bound(log_p, choice.log_prob));
//
// As of reinforce() the gradient is the estimate and the value means nothing; bound_of() has the
// value. Both are losses: minimising them raises the bound.
#pragma once

#include "autograd/tensor/tensor.h"

namespace heed {

// One sample: log_likelihood ln p(y | s) [...], log_prob [...] or [..., T], baseline of the loss
// -ln p(y | s) as in reinforce(). Xu et al. 2015 add a moving average and an entropy bonus:
// log_likelihood + λ entropy(scores).
Tensor variational_bound(const Tensor& log_likelihood, const Tensor& log_prob,
                         const Tensor& baseline = {});

// M samples: log_likelihood [M, ...], log_prob [M, ...] or [M, ..., T]. Every sample's ∇ ln p is
// weighed by what the bound gains from it: the bound less the same with this sample's likelihood
// replaced by the geometric mean of the others (Mnih and Rezende 2016, VIMCO). With
// M = 1 there are no others, and it is variational_bound() without a baseline.
Tensor several_sample_bound(const Tensor& log_likelihood, const Tensor& log_prob);

// The bound itself, ln (1/M) Σₘ p(y | sₘ): [M, ...] -> [...].
Tensor bound_of(const Tensor& log_likelihood);

}  // namespace heed
