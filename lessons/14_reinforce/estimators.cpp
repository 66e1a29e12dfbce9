#include "lessons/14_reinforce/estimators.h"

#include <functional>
#include <vector>

namespace heed::three_looks {

namespace {

// The input of the learned baseline before choice t: the step and the earlier choices, one-hot.
Tensor states(const Path& path) {
    const int64_t n = path.loss.size(0);
    std::vector<Tensor> all;
    for (int t = 0; t < steps; ++t) {
        std::vector<Tensor> state{expand(one_hot({t}, steps, Dtype::float64), {n, steps})};
        for (int s = 0; s < steps; ++s)
            state.push_back(s < t ? one_hot(path.choices[s], locations, Dtype::float64)
                                  : zeros({n, locations}, Dtype::float64));
        all.push_back(concat(state, 1));
    }
    return stack(all, 1);  // [N, 3, 21]
}

// An estimator that uses weights of all positions, from `weigh`, instead of a choice, and
// differentiates through them.
Estimator with_weights(const std::function<Tensor(const Tensor&, Rng&)>& weigh) {
    return [=](const Tensor& x, Rng& rng) {
        std::vector<Tensor> weights;
        for (int64_t t = 0; t < steps; ++t)
            weights.push_back(weigh(scores_at(x, t, t ? weights.back() : Tensor()), rng));
        return mean(loss_of(x, weights));
    };
}

}  // namespace

Estimator with_baseline(const Tensor& baseline) {
    return [=](const Tensor& x, Rng& rng) {
        const Path path = draw(x, rng);
        return reinforce(path.loss, path.log_prob, baseline);
    };
}

Estimator with_baseline(double baseline) { return with_baseline(scalar(baseline, Dtype::float64)); }

Estimator with_moving_average(MovingAverage& average) {
    return [&average](const Tensor& x, Rng& rng) {
        const Path path = draw(x, rng);
        const Tensor y = reinforce(path.loss, path.log_prob, scalar(average.value, Dtype::float64));
        average.update(
            path.loss);  // after its use: before it, the baseline would depend on the choice
        return y;
    };
}

Estimator with_learned(LearnedBaseline& baseline, Optimiser& optimiser) {
    return [&](const Tensor& x, Rng& rng) {
        const Path path = draw(x, rng);
        const Tensor predicted = baseline(states(path));  // [N, 3]
        const Tensor y = reinforce(path.loss, path.log_prob, predicted);
        zero_grad(baseline);
        backward(baseline.loss(predicted, path.loss));
        optimiser.step();
        return y;
    };
}

Estimator with_leave_one_out(int64_t group) {
    return [=](const Tensor& x, Rng& rng) {
        const Path path = draw(x, rng);
        const Tensor others = leave_one_out(reshape(path.loss, {group, -1}));
        return reinforce(path.loss, path.log_prob, reshape(others, path.loss.shape()));
    };
}

Estimator straight_through() {
    return with_weights([](const Tensor& s, Rng& rng) { return straight_through_sample(s, rng); });
}

Estimator gumbel(double temperature) {
    return with_weights(
        [=](const Tensor& s, Rng& rng) { return gumbel_softmax(s, temperature, rng); });
}

}  // namespace heed::three_looks
