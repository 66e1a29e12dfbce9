// A problem small enough to know everything about: three glimpses among six places, each choice
// depending on the one before, so 216 paths. Sums over all of them give the exact gradient of the
// expected loss, against which every estimator is held.
#pragma once

#include <cmath>
#include <functional>
#include <vector>

#include "attention/hard.h"
#include "autograd/autograd.h"

namespace heed::hard_problem {

constexpr int64_t places = 6, steps = 3, parameters = 20;
constexpr int64_t history = 18, target = 19;  // after the 18 scores

// Numbers without pattern; whatever they are, the sums below are exact.
inline Tensor fixed(const Shape& shape, uint64_t seed) {
    Rng rng(seed);
    return normal(shape, 0, 1, rng, Dtype::float64);
}
inline const Tensor values = fixed({steps, places, 2}, 1);
inline const Tensor memory = fixed({places, places}, 2);
inline const Tensor the_parameters = fixed({parameters}, 3) * 0.7;

// Every sample has the parameters for itself, x [N, 20], so that one backward pass gives the
// gradient estimate of each.
inline Tensor scores_at(const Tensor& x, int64_t t, const Tensor& before) {  // -> [N, 6]
    const Tensor theta = slice(x, 1, t * places, (t + 1) * places);
    if (t == 0) return theta;
    return theta + slice(x, 1, history, history + 1) * matmul(before, memory);
}

// The loss of looking at the places with the given weights, each [N, 6], one-hot or not: [N]
inline Tensor loss_of(const Tensor& x, const std::vector<Tensor>& weights) {
    Tensor context = matmul(weights[0], select(values, 0, 0));  // [N, 2]
    for (int64_t t = 1; t < steps; ++t)
        context = context + matmul(weights[t], select(values, 0, t));
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
        log_probs.push_back(log_prob(path.scores[t], path.choices[t]));
        looked.push_back(one_hot(path.choices[t], places, Dtype::float64));
    }
    path.log_prob = stack(log_probs, 1);
    path.loss = loss_of(x, looked);
    return path;
}
inline Path draw(const Tensor& x, Rng& rng) {
    return follow(x, [&](int64_t, const Tensor& scores) { return choose(scores, rng).places; });
}
inline Path enumerate(const Tensor& x) {  // x [216, 20]
    const Indices all = all_paths(places, steps);
    return follow(x, [&](int64_t t, const Tensor&) {
        std::vector<int> column;
        for (int64_t n = 0; n < all.size(0); ++n) column.push_back(all[n * steps + t]);
        return Indices(column);
    });
}

inline Tensor repeated(int64_t samples) {  // the parameters as a leaf [N, 20]
    Tensor x = clone(expand(the_parameters, {samples, parameters}));
    return x.require_grad();
}

// All paths: their probabilities [216], losses [216], and ∇ ln p of each step, [216, 3, 20].
struct Everything {
    Tensor probability, loss, score, loss_gradient;  // the last [216, 20]
};
inline Everything everything() {
    const Tensor x = repeated(216);
    const Path path = enumerate(x);
    std::vector<Tensor> score;
    for (int64_t t = 0; t < steps; ++t)
        score.push_back(grad(sum(select(path.log_prob, 1, t)), {x})[0]);
    return {detach(exp(sum(path.log_prob, -1))), detach(path.loss), stack(score, 1),
            grad(sum(path.loss), {x})[0]};
}

// The gradient of f(paths), f a differentiable function of all of them.
template <class Objective>
Tensor exact_gradient(Objective f) {
    Tensor x = clone(the_parameters);
    x.require_grad();
    return grad(f(enumerate(expand(x, {216, parameters}))), {x})[0];
}
inline Tensor expected_loss_gradient() {
    return exact_gradient([](const Path& p) { return sum(exp(sum(p.log_prob, -1)) * p.loss); });
}

// The variance of REINFORCE with a constant baseline for each step, [1, 3], summed over parameters:
// E|Σ (L - bₜ) gₜ + ∇L|² - |∇ E[L]|².
inline double exact_variance(const Tensor& baseline) {
    const Everything all = everything();
    const Tensor weight = reshape(unsqueeze(all.loss, -1) - baseline, {216, steps, 1});
    const Tensor estimate = sum(weight * all.score, 1) + all.loss_gradient;  // [216, 20]
    const Tensor second = sum(all.probability * sum(square(estimate), -1));
    return (second - sum(square(expected_loss_gradient()))).item();
}

// What an estimator is: x [N, 20] -> a number whose gradient is the mean of N estimates.
using Estimator = std::function<Tensor(const Tensor& x, Rng& rng)>;

struct Measured {
    std::vector<double> mean, error;  // of each parameter's estimate; error: its standard error
    double variance = 0;              // of one estimate, summed over the parameters
};

// 100,000 samples in 50 rounds. `group` samples that lie N / group apart share an estimate.
inline Measured measure(const Estimator& estimator, int64_t group = 1, int rounds = 50,
                        int64_t samples = 2000) {
    Rng rng(7);
    Tensor total = zeros({parameters}, Dtype::float64), squares = total;
    for (int round = 0; round < rounds; ++round) {
        const Tensor x = repeated(samples);
        const Tensor each =
            grad(estimator(x, rng), {x})[0] * static_cast<double>(samples);  // [N, 20]
        const Tensor joined = mean(reshape(each, {group, samples / group, parameters}), 0);
        total = total + sum(joined, 0);
        squares = squares + sum(square(joined), 0);
    }
    const double count = static_cast<double>(rounds) * static_cast<double>(samples / group);
    const Tensor centre = total / count, variance = squares / count - square(centre);
    return {centre.to_vector(), sqrt(relu(variance) / count).to_vector(), sum(variance).item()};
}

// The largest distance from the exact gradient, in standard errors. Estimates without any spread
// must be exact.
inline double errors_off(const Measured& measured, const Tensor& exact) {
    double worst = 0;
    for (int64_t i = 0; i < parameters; ++i) {
        const double gap = std::abs(measured.mean[i] - exact.at({i}));
        worst = std::max(worst, gap / (measured.error[i] + 1e-12));
    }
    return worst;
}

}  // namespace heed::hard_problem
