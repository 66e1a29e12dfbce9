#include "attention/hard/marginal.h"

#include "attention/hard/hard_categorical.h"
#include "attention/scores/soft.h"
#include "autograd/base/user_call.h"
#include "autograd/ops/binary.h"
#include "autograd/ops/compare.h"
#include "autograd/ops/reductions.h"
#include "autograd/ops/softmax.h"

namespace heed {

namespace {

void check_same(const Tensor& scores, const Tensor& x, const char* operation, const char* what) {
    check(scores.shape() == x.shape(),
          "{}: scores {} and {} {} must have the same shape [..., K]: one for each index",
          operation, scores.shape(), what, x.shape());
}

}  // namespace

Tensor marginal_log_likelihood(const Tensor& scores, const Tensor& log_likelihood,
                               const Tensor& mask) {
    const UserCall named("marginal_log_likelihood");
    check_defined("marginal_log_likelihood", scores, log_likelihood);
    check_same(scores, log_likelihood, "marginal_log_likelihood", "log_likelihood");
    const Tensor log_prior = log_weights(scores, mask);
    const Tensor log_p = mask.defined() ? where(mask, log_likelihood, 0.0) : log_likelihood;
    return logsumexp(log_prior + log_p, -1);
}

Tensor posterior(const Tensor& scores, const Tensor& log_likelihood, const Tensor& mask) {
    const UserCall named("posterior");
    check_defined("posterior", scores, log_likelihood);
    check_same(scores, log_likelihood, "posterior", "log_likelihood");
    return attention_weights(scores + log_likelihood, mask);
}

Tensor expected_loss(const Tensor& scores, const Tensor& loss, const Tensor& mask) {
    const UserCall named("expected_loss");
    check_defined("expected_loss", scores, loss);
    check_same(scores, loss, "expected_loss", "loss");
    return sum(weighted(attention_weights(scores, mask), loss), -1);
}

Indices all_paths(Integer indices, Integer steps) {
    check(indices >= 1 && steps >= 1, "all_paths: {} indices and {} steps; expected at least 1",
          indices, steps);
    int64_t count = 1;
    for (int64_t t = 0; t < steps; ++t) {
        count *= indices;
        check(count <= 1'000'000, "all_paths: {} indices and {} steps make more than a million",
              indices, steps);
    }
    // The digits of n in base `indices` are path number n.
    std::vector<int> paths(count * steps);
    for (int64_t n = 0; n < count; ++n) {
        int64_t rest = n;
        for (int64_t t = steps - 1; t >= 0; --t, rest /= indices)
            paths[n * steps + t] = static_cast<int>(rest % indices);
    }
    return Indices(std::move(paths), {count, steps});
}

}  // namespace heed
