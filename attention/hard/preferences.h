// A language model trained from rewards of whole answers, or from pairs of a better and a worse answer.
// The answer is the action: its log-probability is the sum of those of its tokens, so REINFORCE
// (reinforce.h) applies as it stands, with the loss -reward and leave_one_out() as baseline.
//
//     const Tensor log_prob = answer_log_prob(model(ids), next_ids);       // -1 where no answer stands
//     backward(reinforce(-group_advantage(reward), log_prob));             // S answers a question
//     backward(dpo_loss(chosen, rejected, reference_chosen, reference_rejected, {.beta = 0.1}));
//
// Here π is the model that is trained and π₀ the reference, the model at the start.
#pragma once

#include "autograd/ops/fused/cross_entropy.h"
#include "autograd/tensor/indices.h"
#include "autograd/tensor/tensor.h"

namespace heed {

// ln p(answer | question), the sum of ln p of its tokens: logits [B, T, V], the next token at each step
// ids [B, T], and ignored_id where it is no token of the answer -> [B].
Tensor answer_log_prob(const Tensor& logits, const Indices& ids, Integer ignored_id = -1);

// Rewards in units of their group: (R - mean) / (standard deviation + eps) over the S answers to each
// question (GRPO; Shao et al. 2024, section 4.1.2), reward [S, ...] -> [S, ...], a constant. Questions
// whose answers all have the same reward give 0. The mean contains the sample's own reward, which makes
// the gradient (S - 1) / S times as large, and the division weighs questions; leave_one_out() does
// neither. The standard deviation is that of the S numbers, with S in the denominator. Throws when
// S < 2.
Tensor group_advantage(const Tensor& reward, double eps = 1e-6);

// An estimate of KL(π ‖ π₀) from samples of π:  π₀/π - ln(π₀/π) - 1, of each sample or token, never
// negative (Schulman 2020; Shao et al. 2024, equation 4). Its mean is the divergence; its gradient,
// taken with the samples held fixed, is not that of the divergence. log_prob ln π, reference ln π₀ of
// one shape [...] -> [...].
Tensor kl_estimate(const Tensor& log_prob, const Tensor& reference);

struct DpoOptions {
    double beta = 0.1;  // β; the larger, the nearer π stays to π₀
    Reduction reduction = Reduction::mean;
};
// Direct preference optimisation (Rafailov et al. 2023, equation 7):
//
//     -ln σ(β (ln π(chosen) / π₀(chosen) - ln π(rejected) / π₀(rejected)))
//
// of log-probabilities of whole answers, all [...]. Throws unless beta is positive.
Tensor dpo_loss(const Tensor& chosen, const Tensor& rejected, const Tensor& reference_chosen,
                const Tensor& reference_rejected, const DpoOptions& options = {});

}  // namespace heed
