#include "attention/hard/marginal.h"

#include "attention/hard/hard_categorical.h"
#include "attention/scores/soft.h"
#include "autograd/base/settings.h"
#include "autograd/ops/elementwise/binary.h"
#include "autograd/ops/elementwise/compare.h"
#include "autograd/ops/fused/softmax.h"
#include "autograd/ops/reduce/reductions.h"
#include "autograd/tensor/shapes.h"

namespace heed {

Tensor marginal_log_likelihood(const Tensor& scores, const Tensor& log_likelihood,
                               const Tensor& mask) {
    const Shapes in("marginal_log_likelihood",
                    {{"scores", scores, "... K"}, {"log_likelihood", log_likelihood, "... K"}});
    const Tensor log_prior = log_weights(scores, mask);
    const Tensor log_p = mask.defined() ? where(mask, log_likelihood, 0.0) : log_likelihood;
    return logsumexp(log_prior + log_p, -1);
}

Tensor posterior(const Tensor& scores, const Tensor& log_likelihood, const Tensor& mask) {
    const Shapes in("posterior",
                    {{"scores", scores, "... K"}, {"log_likelihood", log_likelihood, "... K"}});
    return attention_weights(scores + log_likelihood, mask);
}

Tensor expected_loss(const Tensor& scores, const Tensor& loss, const Tensor& mask) {
    const Shapes in("expected_loss", {{"scores", scores, "... K"}, {"loss", loss, "... K"}});
    return sum(weighted(attention_weights(scores, mask), loss), -1);
}

Indices all_paths(Integer indices, Integer steps) {
    check_positive("all_paths", {{"indices", indices.value}, {"steps", steps.value}});
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
