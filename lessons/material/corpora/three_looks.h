// A problem of hard attention that is small enough to be solved exactly: three looks at six
// locations, each choice depending on the one before, so there are 216 paths. The values seen are
// summed and passed through tanh, and the loss is the squared distance to a target. Lesson
// {reinforce} measures gradient estimators on it, and the tests of hard attention compare the
// library's estimators with the exact sums.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "attention/hard/hard.h"
#include "autograd/autograd.h"
#include "nn/train/checkpoint.h"

namespace heed::three_looks {

constexpr int64_t locations = 6, steps = 3, parameters = 20;
constexpr int64_t history = 18, target = 19;  // parameters 18 and 19; before them the scores

// Fixed random numbers.
inline Tensor fixed(const Shape& shape, uint64_t seed) {
    Rng rng(seed);
    return normal(shape, 0, 1, rng, Dtype::float64);
}
inline Tensor values() { return fixed({steps, locations, 2}, 1); }
inline Tensor previous_to_scores() { return fixed({locations, locations}, 2); }
inline Tensor the_parameters() { return fixed({parameters}, 3) * 0.7; }

// Each sample has its own copy of the parameters, x [N, 20], so that one backward pass gives the
// gradient estimate of each sample.
inline Tensor scores_at(const Tensor& x, int64_t t, const Tensor& before) {  // -> [N, 6]
    const Tensor theta = slice(x, 1, t * locations, (t + 1) * locations);
    if (t == 0) return theta;
    return theta + slice(x, 1, history, history + 1) * matmul(before, previous_to_scores());
}

// The loss of attending with the given weights, each [N, 6], one-hot or soft: [N]
inline Tensor loss_of(const Tensor& x, const std::vector<Tensor>& weights) {
    const Tensor seen = values();                             // [3, 6, 2]
    Tensor context = matmul(weights[0], select(seen, 0, 0));  // [N, 2]
    for (int64_t t = 1; t < steps; ++t) context = context + matmul(weights[t], select(seen, 0, t));
    return sum(square(tanh(context) - slice(x, 1, target, target + 1)), -1);
}

struct Path {
    std::vector<Tensor> scores;    // of each step, [N, 6]
    std::vector<Indices> choices;  // of each step, [N]
    Tensor log_prob;               // [N, 3]
    Tensor loss;                   // [N]
};

// Choices made by decide(t, scores) -> Indices [N].
template <class Decide>
Path follow(const Tensor& x, Decide decide) {
    Path path;
    std::vector<Tensor> log_probs, looked;
    for (int64_t t = 0; t < steps; ++t) {
        path.scores.push_back(scores_at(x, t, t ? looked.back() : Tensor()));
        path.choices.push_back(decide(t, path.scores[t]));
        log_probs.push_back(categorical_log_prob(path.scores[t], path.choices[t]));
        looked.push_back(one_hot(path.choices[t], locations, Dtype::float64));
    }
    path.log_prob = stack(log_probs, 1);
    path.loss = loss_of(x, looked);
    return path;
}
inline Path draw(const Tensor& x, Rng& rng) {
    return follow(
        x, [&](int64_t, const Tensor& scores) { return sample_categorical(scores, rng).indices; });
}
inline Path enumerate(const Tensor& x) {  // x [216, 20]
    const Indices all = all_paths(locations, steps);
    return follow(x, [&](int64_t t, const Tensor&) {
        std::vector<int> column;
        for (int64_t n = 0; n < all.size(0); ++n) column.push_back(all[n * steps + t]);
        return Indices(column);
    });
}

inline Tensor repeated(int64_t samples) {  // the parameters as a leaf [N, 20]
    Tensor x = clone(expand(the_parameters(), {samples, parameters}));
    return x.set_requires_grad();
}

// x [N, 20] -> a scalar whose gradient is the mean of N estimates.
using Estimator = std::function<Tensor(const Tensor& x, Rng& rng)>;

// The mean of the estimates and the variance of a single one: each [20]. One estimate is the mean
// of `group` samples that are N / group apart. The checkpoint lists what the estimator changes.
struct Moments {
    Tensor mean, variance;
    double count = 0;  // of estimates
};
inline Moments moments(const Estimator& estimator, Rng& rng, int batches, int64_t samples,
                       int64_t group, CheckpointOptions checkpoint = {}) {
    Tensor total = zeros({parameters}, Dtype::float64), squares = zeros_like(total);
    checkpoint.state.insert(checkpoint.state.end(), {rng, total, squares});
    Checkpoint saved(std::move(checkpoint));
    for ([[maybe_unused]] int64_t batch : saved.steps(batches)) {
        const Tensor x = repeated(samples);
        const Tensor each = grad(estimator(x, rng), {x})[0] * static_cast<double>(samples);
        const Tensor joined = mean(reshape(each, {group, samples / group, parameters}), 0);
        total = total + sum(joined, 0);
        squares = squares + sum(square(joined), 0);
    }
    const double count = static_cast<double>(batches) * static_cast<double>(samples / group);
    const Tensor centre = total / count;
    return {centre, relu(squares / count - square(centre)), count};
}

}  // namespace heed::three_looks
