// The problem of three_looks.h, summed over all its 216 paths: the exact gradient of the expected loss, and the
// exact variance of REINFORCE with a baseline for each step.
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

}  // namespace heed::three_looks
