#include "lessons/14_reinforce/problem.h"

#include <algorithm>
#include <cmath>

#include "lessons/course/lesson/checkpoints.h"

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

Measured measure(const Estimator& estimator, const Exact& exact, Rng& rng, int batches,
                 int64_t group, const std::vector<SavedState>& changing) {
    const Moments m =
        moments(estimator, rng, batches, 2000, group, course::next_checkpoint(changing));
    const Tensor gap = m.mean - exact.gradient;
    return {max(abs(gap) / (sqrt(m.variance / m.count) + 1e-12)).item(),
            std::sqrt((sum(square(gap)) / sum(square(exact.gradient))).item()),
            sum(m.variance).item() * static_cast<double>(group)};
}

}  // namespace heed::three_looks
