#include "lessons/14_reinforce/experiment.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "lessons/material/training/next_checkpoint.h"

namespace heed::lesson14 {

using namespace three_looks;
using three_looks::parameters;

Measured measure(const Estimator& estimator, const Exact& exact, Rng& rng, int batches,
                 int64_t group, const std::vector<SavedState>& changing) {
    const Moments m =
        moments(estimator, rng, batches, 2000, group, course::next_checkpoint(changing));
    const Tensor gap = m.mean - exact.gradient;
    return {max(abs(gap) / (sqrt(m.variance / m.count) + 1e-12)).item(),
            std::sqrt((sum(square(gap)) / sum(square(exact.gradient))).item()),
            sum(m.variance).item() * static_cast<double>(group)};
}

// --- estimators ---------------------------------------------------------------------------------

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

namespace {
LearnedBaseline new_baseline() {
    Rng rng(1);
    LearnedBaseline learned(state_width, rng);
    to_dtype(learned, Dtype::float64);
    return learned;
}
}  // namespace

TrainedBaselines::TrainedBaselines(const Exact& exact, Rng& rng)
    : learned(new_baseline()),
      adam(heed::parameters(learned), {.lr = 0.05}),
      moving(with_moving_average(average)),
      learning(with_learned(learned, adam)),
      changing{average, adam} {
    for (const Estimator& estimator : {moving, learning})
        measure(estimator, exact, rng, 40, 1, changing);
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

// --- averages -----------------------------------------------------------------------------------

Averaged errors_of_means(const Estimator& estimator, const Exact& exact, Rng& rng, int batches) {
    constexpr int64_t least = 125, at_once = 16 * least;
    std::vector<double> means;  // [blocks, 20]
    Checkpoint checkpoint(course::next_checkpoint({rng, means}));
    for ([[maybe_unused]] int64_t batch : checkpoint.steps(batches)) {
        const Tensor x = repeated(at_once);
        const Tensor each = grad(estimator(x, rng), {x})[0] * static_cast<double>(at_once);
        const Tensor some = mean(reshape(each, {least, at_once / least, parameters}), 0);
        for (double number : some.to_vector()) means.push_back(number);
    }
    Averaged all;
    Tensor blocks = reshape(tensor(means, Dtype::float64), {-1, parameters});
    for (int64_t samples = least;; samples *= 2) {
        const Tensor square_off = sum(square(blocks - exact.gradient), -1);
        all.samples.push_back(static_cast<double>(samples));
        all.distance.push_back(std::sqrt((mean(square_off) / sum(square(exact.gradient))).item()));
        const int64_t pairs = blocks.size(0) / 2;
        if (pairs < 4) return all;
        blocks = mean(reshape(slice(blocks, 0, 0, 2 * pairs), {pairs, 2, parameters}), 1);
    }
}

}  // namespace heed::lesson14
