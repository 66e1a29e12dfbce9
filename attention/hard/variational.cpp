#include "attention/hard/variational.h"

#include <cmath>

#include "attention/hard/baselines.h"
#include "attention/hard/reinforce.h"
#include "autograd/ops/elementwise/binary.h"
#include "autograd/ops/elementwise/unary.h"
#include "autograd/ops/fused/cross_entropy.h"
#include "autograd/ops/index/indexing.h"
#include "autograd/ops/reduce/reductions.h"
#include "autograd/ops/shape/shape_ops.h"
#include "autograd/tensor/shapes.h"

namespace heed {

Tensor variational_bound(const Tensor& log_likelihood, const Tensor& log_prob,
                         const Tensor& baseline) {
    const Shapes in("variational_bound",
                    {{"log_likelihood", log_likelihood, "..."}, {"log_prob", log_prob, "... ?T"}},
                    {}, "there is one likelihood for each sample");
    return reinforce(-log_likelihood, log_prob, baseline);
}

Tensor bound_of(const Tensor& log_likelihood) {
    const Shapes in("bound_of", {{"log_likelihood", log_likelihood, "M ..."}});
    check(in["M"] > 0, "log_likelihood {}; expected at least one sample", log_likelihood.shape());
    return logsumexp(log_likelihood, 0) - std::log(static_cast<double>(in["M"]));
}

Tensor several_sample_bound(const Tensor& log_likelihood, const Tensor& log_prob) {
    const Shapes in(
        "several_sample_bound",
        {{"log_likelihood", log_likelihood, "M ..."}, {"log_prob", log_prob, "M ... ?T"}}, {},
        "there is one likelihood for each sample");
    const Tensor bound = bound_of(log_likelihood);  // [...]
    const int64_t samples = in["M"];
    if (samples == 1) return variational_bound(log_likelihood, log_prob);

    // replaced[m] is the bound with sample m replaced. Row m of `others` is ln p of all samples,
    // with the mean of the others at index m.
    const Tensor l = detach(log_likelihood);  // [M, ...]
    Shape diagonal{samples, samples};
    for (int i = 1; i < l.dim(); ++i) diagonal.push(1);
    const Tensor own = reshape(eye(samples, l.dtype()), diagonal);  // [M, M, 1 ...]
    const Tensor others = where(own, unsqueeze(leave_one_out(l), 1), unsqueeze(l, 0));
    const Tensor replaced = logsumexp(others, 1) - std::log(static_cast<double>(samples));

    // The loss of every sample is the whole bound, so the sum over samples is M times the mean.
    const Tensor loss = -expand(unsqueeze(detach(bound), 0), l.shape());
    return reduce_losses(-bound, Reduction::mean) +
           static_cast<double>(samples) * score_function_term(loss, log_prob, -replaced);
}

}  // namespace heed
