// The small problem of lessons/material/corpora/three_looks.h: its exact gradient, as a sum over
// all 216 paths, and measures of how far an estimator is from it.
#pragma once

#include "lessons/material/corpora/three_looks.h"

namespace heed::three_looks {

// Exact results, by summing over all paths.
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
// The target of the loss: a parameter of its own (the 20th), or the third score of the second step.
enum class Target { own, shared };
Exact sum_over_all_paths(Target target = Target::own);

struct Measured {
    double standard_errors = 0;  // the largest distance from the exact gradient, in standard errors
    double bias = 0;             // the distance of the mean from it, as a share of its length
    double variance = 0;         // of one sample, summed over the parameters
};
// Draws `batches` batches of 2000 samples. Groups of `group` samples give one estimate together;
// the variance of an estimate is multiplied by the size of the group, so that it can be compared
// with the variance of one sample. `changing` is what the estimator changes with every estimate.
Measured measure(const Estimator& estimator, const Exact& exact, Rng& rng, int batches,
                 int64_t group = 1, const std::vector<SavedState>& changing = {});

}  // namespace heed::three_looks
