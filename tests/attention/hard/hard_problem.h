// The problem of lessons/material/corpora/three_looks.h, summed over all its paths: the exact
// gradient and variance, with which every estimator is compared.
#pragma once

#include <cmath>
#include <vector>

#include "lessons/material/corpora/three_looks.h"

namespace heed::three_looks {

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
    Tensor x = clone(the_parameters());
    x.set_requires_grad();
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

struct Measured {
    std::vector<double> mean, error;  // of each parameter's estimate; error: its standard error
    double variance = 0;              // of one estimate, summed over the parameters
};

// 100,000 samples in 50 repetitions.
inline Measured measure(const Estimator& estimator, int64_t group = 1, int repetitions = 50,
                        int64_t samples = 2000) {
    Rng rng(7);
    const Moments m = moments(estimator, rng, repetitions, samples, group);
    return {m.mean.to_vector(), sqrt(m.variance / m.count).to_vector(), sum(m.variance).item()};
}

// The largest distance from the exact gradient, in standard errors. Estimates without
// variance must be exact.
inline double errors_off(const Measured& measured, const Tensor& exact) {
    double worst = 0;
    for (int64_t i = 0; i < parameters; ++i) {
        const double gap = std::abs(measured.mean[i] - exact.at({i}));
        worst = std::max(worst, gap / (measured.error[i] + 1e-12));
    }
    return worst;
}

}  // namespace heed::three_looks
