// REINFORCE: the gradient of an expected loss over random choices a₁ ... a_T (Williams 1992,
// sections 4 and 5).
//
//     ∇ E[L] = E[ ∇L + Σₜ (L - bₜ) ∇ ln p(aₜ | a₁ ... aₜ₋₁) ]
//
// The estimate asks nothing of the choices but their likelihood. It is unbiased for every baseline
// bₜ that does not depend on aₜ or on what comes after it: E[∇ ln p] = 0. How much it varies is
// another matter, and all about b: baselines.h.
//
//     backward(reinforce(loss, log_prob, baseline));      // loss [N], log_prob [N, T]
//
// The function returns what one differentiates, not what one reports: its gradient is the estimate,
// its value means nothing. Loss and baseline are detached where they weigh ∇ ln p, so forgetting to
// is no mistake one can make here. First derivatives only.
#pragma once

#include "autograd/tensor/tensor.h"

namespace heed {

// loss: one for each of the samples, any shape [...]; may depend on parameters itself (the ∇L
// above). log_prob: [...] for one choice a sample or [..., T] for T of them. baseline: none if not
// defined; a single number []; one for each sample, of the shape of loss; or
//     one for each choice, broadcast to log_prob and with as many axes ([1, T] for one a step).
// The result is the mean over all samples.
Tensor reinforce(const Tensor& loss, const Tensor& log_prob, const Tensor& baseline = {});

// Only Σₜ (L - bₜ) ln pₜ, the mean over all samples: for when ∇L is added with another weight, or
// the loss is made of constants.
Tensor score_function_term(const Tensor& loss, const Tensor& log_prob, const Tensor& baseline = {});

}  // namespace heed
