// Hard attention trained by a lower bound on the log-likelihood of the target.
//
//     ln p(y) = ln Σₛ p(s) p(y | s)  ≥  Σₛ p(s) ln p(y | s)         (Xu et al. 2015, section 4.1)
//             ≥  E[ ln (1/M) Σₘ p(y | sₘ) ],  tighter with more samples  (Burda et al. 2016, 3)
//
// s is the index (or the sequence of indices) attended to, y the target. The bound needs samples
// only; marginal.h has the exact sum where it is affordable.
//
//     const CategoricalSample sample = sample_categorical(scores, rng);            // [M, B, K]
//     const Tensor log_p = log_likelihood(labels, sample.indices);                 // [M, B]
//     backward(several_sample_bound(log_p, sample.log_prob));
//
// As with reinforce(), the gradient of the result is the estimate and its value is not the bound;
// bound_of() computes that. Both are losses: minimising them raises the bound.
#pragma once

#include "autograd/tensor/tensor.h"

namespace heed {

// One sample: log_likelihood ln p(y | s) [...], log_prob [...] or [..., T], baseline of the loss
// -ln p(y | s) as in reinforce(). Xu et al. 2015 use a moving average as the baseline and add
// entropy to the log-likelihood: log_likelihood + λ categorical_entropy(scores).
Tensor variational_bound(const Tensor& log_likelihood, const Tensor& log_prob,
                         const Tensor& baseline = {});

// M samples: log_likelihood [M, ...], log_prob [M, ...] or [M, ..., T]. The ∇ ln p of a sample is
// multiplied by what the sample adds to the bound: the bound minus the same with this sample's
// likelihood replaced by the geometric mean of the others (Mnih and Rezende 2016, VIMCO). With
// M = 1 there are no others, and it is variational_bound() without a baseline.
Tensor several_sample_bound(const Tensor& log_likelihood, const Tensor& log_prob);

// The bound itself, ln (1/M) Σₘ p(y | sₘ): [M, ...] -> [...].
Tensor bound_of(const Tensor& log_likelihood);

}  // namespace heed
