#include "attention/hard/variational.h"

#include <cmath>

#include "attention/hard/baselines.h"
#include "attention/hard/reinforce.h"
#include "autograd/base/user_call.h"
#include "autograd/ops/binary.h"
#include "autograd/ops/cross_entropy.h"
#include "autograd/ops/indexing.h"
#include "autograd/ops/reductions.h"
#include "autograd/ops/shape_ops.h"
#include "autograd/ops/unary.h"

namespace heed {

namespace {

void check_samples(const Tensor& log_likelihood, const Tensor& log_prob, const char* operation) {
    Shape samples = log_prob.shape();
    if (log_prob.dim() == log_likelihood.dim() + 1) --samples.count;
    check(samples == log_likelihood.shape(),
          "{}: log_likelihood {} and log_prob {}; expected one likelihood a sample, [...], and "
          "log_prob [...] or [..., T]",
          operation, log_likelihood.shape(), log_prob.shape());
}

}  // namespace

Tensor variational_bound(const Tensor& log_likelihood, const Tensor& log_prob,
                         const Tensor& baseline) {
    const UserCall named("variational_bound");
    check_defined("variational_bound", log_likelihood, log_prob);
    check_samples(log_likelihood, log_prob, "variational_bound");
    return reinforce(-log_likelihood, log_prob, baseline);
}

Tensor bound_of(const Tensor& log_likelihood) {
    const UserCall named("bound_of");
    check_defined("bound_of", log_likelihood);
    check(log_likelihood.dim() >= 1 && log_likelihood.size(0) >= 1,
          "bound_of: log_likelihood {}; expected [M, ...] with at least one sample",
          log_likelihood.shape());
    const double samples = static_cast<double>(log_likelihood.size(0));
    return logsumexp(log_likelihood, 0) - std::log(samples);
}

Tensor several_sample_bound(const Tensor& log_likelihood, const Tensor& log_prob) {
    const UserCall named("several_sample_bound");
    check_defined("several_sample_bound", log_likelihood, log_prob);
    check_samples(log_likelihood, log_prob, "several_sample_bound");
    const Tensor bound = bound_of(log_likelihood);  // [...]
    const int64_t samples = log_likelihood.size(0);
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
