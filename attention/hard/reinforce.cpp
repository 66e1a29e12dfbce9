#include "attention/hard/reinforce.h"

#include "autograd/ops/elementwise/binary.h"
#include "autograd/ops/fused/cross_entropy.h"
#include "autograd/ops/reduce/reductions.h"
#include "autograd/ops/shape/shape_ops.h"
#include "autograd/tensor/shapes.h"

namespace heed {

Tensor score_function_term(const Tensor& loss, const Tensor& log_prob, const Tensor& baseline) {
    const Shapes in("score_function_term",
                    {{"loss", loss, "..."}, {"log_prob", log_prob, "... ?T"}}, {},
                    "there is one loss for each sample");
    const bool steps = in.has("T");
    Tensor weight = steps ? unsqueeze(loss, -1) : loss;  // [..., 1 or T]
    if (baseline.defined()) {
        const bool per_sample = steps && baseline.shape() == loss.shape();
        const bool fits =
            baseline.dim() == 0 || per_sample ||
            (baseline.dim() == log_prob.dim() && broadcasts_to(baseline.shape(), log_prob.shape()));
        check(fits,
              "baseline {} with loss {} and log_prob {}; expected a number [], the "
              "shape of the loss, or one that broadcasts to log_prob with as many axes, [1, T] "
              "for one a step",
              baseline.shape(), loss.shape(), log_prob.shape());
        weight = weight - (per_sample ? unsqueeze(baseline, -1) : baseline);
    }
    const Tensor terms = weighted(detach(weight), log_prob);
    return reduce_losses(steps ? sum(terms, -1) : terms, Reduction::mean);
}

Tensor reinforce(const Tensor& loss, const Tensor& log_prob, const Tensor& baseline) {
    const Shapes in("reinforce", {{"loss", loss, "..."}, {"log_prob", log_prob, "... ?T"}}, {},
                    "there is one loss for each sample");
    return reduce_losses(loss, Reduction::mean) + score_function_term(loss, log_prob, baseline);
}

}  // namespace heed
