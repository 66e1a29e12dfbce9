// What this lesson asks of the problem of lessons/course/generated/three_looks.h: what the sum over all its 216
// paths says, and how an estimator does beside it.
#pragma once

#include "lessons/course/generated/three_looks.h"

namespace heed::three_looks {

// What the sum over all paths says.
struct Exact {
    Tensor gradient;           // [20]
    Tensor probability, loss;  // [216]
    Tensor score;              // ∇ ln p of each step, [216, 3, 20]
    Tensor loss_gradient;      // [216, 20]

    // Of REINFORCE with one baseline for each step, [1, 3] or a number, summed over the parameters:
    // E|Σₜ (L - bₜ) gₜ + ∇L|² - |∇ E[L]|².
    double variance(const Tensor& baseline) const;
    double variance(double baseline) const;

    double mean_loss() const;  // E[L]
};
Exact sum_over_all_paths();

struct Measured {
    double errors_off = 0;  // the largest distance from the exact gradient, in standard errors
    double bias = 0;        // the distance of the mean from it, as a share of its length
    double variance = 0;    // of one sample, summed over the parameters
};
// In rounds of 2000 samples, of which `group` share an estimate; the variance is that of an estimate
// times the size of the group: what a sample is worth.
Measured measure(const Estimator& estimator, const Exact& exact, Rng& rng, int rounds,
                 int64_t group = 1);

// The variance of REINFORCE with a baseline on one coin s, 1 with probability theta, for the loss
// (s - t)^2, summed over both outcomes.
double coin_variance(double theta, double t, double baseline);

}  // namespace heed::three_looks
