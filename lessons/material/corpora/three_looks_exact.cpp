#include "lessons/material/corpora/three_looks_exact.h"

#include <vector>

namespace heed::three_looks {

Exact sum_over_all_paths(Target where) {
    const Tensor x = repeated(216);
    const Tensor others = slice(x, 1, 0, target), one_score = slice(x, 1, 8, 9);
    const Path path = enumerate(where == Target::own ? x : concat({others, one_score}, 1));
    const Tensor probability = exp(sum(path.log_prob, -1));
    std::vector<Tensor> score;
    for (int64_t t = 0; t < steps; ++t)
        score.push_back(grad(sum(select(path.log_prob, 1, t)), {x})[0]);
    return {sum(grad(sum(probability * path.loss), {x})[0], 0), detach(probability),
            detach(path.loss), stack(score, 1), grad(sum(path.loss), {x})[0]};
}

double Exact::variance(const Tensor& baseline) const {
    const Tensor weight = unsqueeze(unsqueeze(loss, -1) - baseline, -1);  // [216, 1 or 3, 1]
    const Tensor estimate = sum(weight * score, 1) + loss_gradient;       // [216, 20]
    return (sum(probability * sum(square(estimate), -1)) - sum(square(gradient))).item();
}

double Exact::variance(double baseline) const { return variance(scalar(baseline, Dtype::float64)); }

double Exact::mean_loss() const { return sum(probability * loss).item(); }

}  // namespace heed::three_looks
