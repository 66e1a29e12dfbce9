#include "attention/hard/preferences.h"

#include <cmath>

#include "autograd/ops/elementwise/binary.h"
#include "autograd/ops/elementwise/unary.h"
#include "autograd/ops/reduce/reductions.h"
#include "autograd/tensor/shapes.h"

namespace heed {

Tensor answer_log_prob(const Tensor& logits, const Indices& ids, Integer ignored_id) {
    const Shapes in("answer_log_prob", {{"logits", logits, "B T V"}, {"ids", ids, "B T"}});
    return -sum(cross_entropy(
                    logits, ids,
                    {.ignored_index = static_cast<int>(ignored_id), .reduction = Reduction::none}),
                -1);
}

Tensor group_advantage(const Tensor& reward, double eps) {
    const Shapes in("group_advantage", {{"reward", reward, "S ..."}});
    check(in["S"] >= 2, "reward {}; expected at least 2 answers S to each question",
          reward.shape());
    const Tensor centred = detach(reward) - mean(detach(reward), 0, true);
    return centred / (sqrt(mean(square(centred), 0, true)) + eps);
}

Tensor kl_estimate(const Tensor& log_prob, const Tensor& reference) {
    const Shapes in("kl_estimate",
                    {{"log_prob", log_prob, "..."}, {"reference", reference, "..."}});
    const Tensor ratio = reference - log_prob;  // ln π₀/π
    return expm1(ratio) - ratio;
}

Tensor dpo_loss(const Tensor& chosen, const Tensor& rejected, const Tensor& reference_chosen,
                const Tensor& reference_rejected, const DpoOptions& options) {
    const Shapes in("dpo_loss", {{"chosen", chosen, "..."},
                                 {"rejected", rejected, "..."},
                                 {"reference_chosen", reference_chosen, "..."},
                                 {"reference_rejected", reference_rejected, "..."}});
    check(options.beta > 0 && std::isfinite(options.beta), "beta is {}; expected a positive number",
          options.beta);
    const Tensor margin = (chosen - reference_chosen) - (rejected - reference_rejected);
    return reduce_losses(softplus(margin * -options.beta), options.reduction);  // -ln σ(x)
}

}  // namespace heed
