// A mixture of experts: E networks f₁ ... f_E side by side, of which each token uses k (Shazeer et al.
// 2017, section 2). A linear layer R, the router, scores the experts for the token x:
//
//     s = R x
//     w = softmax of s over the k largest, 0 for the others      (Jiang et al. 2024, section 2.1)
//     y = Σₑ wₑ fₑ(x)                                            over the k that were chosen
//
// There are E networks to train, and a token costs the work of k. A stack has them as an option of its
// feed-forward networks (layers.h):
//
//     TransformerEncoder stack(
//         {.width = 64, .layers = 2, .experts = 8, .experts_for_each_token = 2}, rng);
//     std::vector<Tensor> router;                                     // s of each layer, [B, T, E]
//     const Tensor y = stack(x, {.causal = true, .router = &router});
//     backward(mean(y * y) + 0.01 * balance_loss(router, 2));
//
// The choice itself has no derivative: the router learns by the weights of the experts that were chosen.
// With k = 1 this softmax is always 1, and the router would learn nothing. There w is the probability
// among all experts, not renormalised (Switch: Fedus et al. 2022, section 2.1):
//
//     {.experts = 8, .experts_for_each_token = 1, .renormalise_experts = false}
//
// Left out on purpose: a largest number of tokens for an expert (no token is dropped), and noise added
// to the scores. All tokens are routed, those of padding too.
#pragma once

#include <functional>
#include <vector>

#include "autograd/tensor/tensor.h"

namespace heed {

// 1 for the k largest scores of each row, 0 for the others: [..., E] -> [..., E], a constant. Of equal
// scores the first. Throws unless 1 <= k <= E.
Tensor chosen_experts(const Tensor& scores, Integer k);

// w from scores s [..., E] and chosen [..., E]. Not renormalised, it is the softmax over all experts
// where an expert was chosen, and does not sum to 1.
Tensor expert_weights(const Tensor& scores, const Tensor& chosen, Flag renormalise = true);

// y from x [..., D], chosen [..., E] and weights [..., E] -> [..., D']. Each expert is called once, with
// all tokens that chose it: expert(e, [n, D]) -> [n, D']. One that nobody chose is not called. Throws if
// nobody chose any.
Tensor mix_experts(const Tensor& x, const Tensor& chosen, const Tensor& weights,
                   const std::function<Tensor(int64_t e, const Tensor& tokens)>& expert);

// fₑ, the share of all choices that fall on each expert: scores [..., E] -> [E], a constant, sums to 1.
Tensor expert_shares(const Tensor& scores, Integer k);

// E Σₑ fₑ Pₑ, where Pₑ is the mean over all tokens of softmax(s)ₑ (Fedus et al. 2022, section 2.2,
// equations 4 to 6): 1 if the experts are used alike, up to E / k if k of them get all tokens. Its
// gradient, through P, lowers the scores of experts that are used much. Of several layers it is the sum.
// scores [..., E] -> [].
Tensor balance_loss(const Tensor& scores, Integer k);
Tensor balance_loss(const std::vector<Tensor>& router, Integer k);

}  // namespace heed
