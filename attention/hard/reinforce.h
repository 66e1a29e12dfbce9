// REINFORCE: an estimate of the gradient of an expected loss over random actions a₁ ... a_T
// (Williams 1992, sections 4 and 5).
//
//     ∇ E[L] = E[ ∇L + Σₜ (L - bₜ) ∇ ln p(aₜ | a₁ ... aₜ₋₁) ]
//
// The estimate needs only the log-probabilities of the actions. It is unbiased for every baseline
// bₜ that does not depend on aₜ or on later actions, because E[∇ ln p] = 0. A good baseline reduces
// the variance: see baselines.h.
//
//     backward(reinforce(loss, log_prob, baseline));      // loss [N], log_prob [N, T]
//
// The gradient of the returned tensor is the estimate; its value is not the expected loss, so
// report mean(loss) instead. Loss and baseline are detached where they multiply ∇ ln p. The
// estimate holds for first derivatives only.
#pragma once

#include "autograd/tensor/tensor.h"

namespace heed {

// loss: one for each sample, of any shape [...]; it may depend on parameters itself (the ∇L above).
// log_prob: [...] for one action in each sample, [..., T] for T of them. baseline: none if not
// defined; a single number []; one for each sample, of the shape of loss; or one for each action,
// broadcast to log_prob and with as many axes ([1, T] for one at each step). The result [] is the
// mean over all samples. Throws when shapes do not fit.
Tensor reinforce(const Tensor& loss, const Tensor& log_prob, const Tensor& baseline = {});

// Only Σₜ (L - bₜ) ln pₜ, the mean over all samples: if ∇L is added with another weight, or the
// loss does not depend on parameters.
Tensor score_function_term(const Tensor& loss, const Tensor& log_prob, const Tensor& baseline = {});

}  // namespace heed
