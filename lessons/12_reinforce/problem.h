// The problem of this lesson, small enough to know everything about: three looks at six places,
// each choice depending on the one before, so 216 paths. What was seen is summed and squashed, and
// the loss is the squared distance from a target.
#pragma once

#include <functional>
#include <vector>

#include "attention/hard.h"
#include "autograd/autograd.h"

namespace heed::lesson12 {

constexpr int64_t places = 6, steps = 3, parameters = 20;
constexpr int64_t history = 18, target = 19;  // parameters 18 and 19; before them the scores

// A path for each of N samples. Every sample has the parameters for itself, x [N, 20], so that one
// backward pass gives the estimate of each.
struct Path {
    std::vector<Tensor> scores;    // of each step, [N, 6]
    std::vector<Indices> choices;  // of each step, [N]
    Tensor log_prob;               // [N, 3]
    Tensor loss;                   // [N]
};
Tensor scores_at(const Tensor& x, int64_t step, const Tensor& before);  // [N, 6]
Tensor loss_of(const Tensor& x, const std::vector<Tensor>& looks);      // weights [N, 6] each
Path draw(const Tensor& x, Rng& rng);
Path enumerate(const Tensor& x);   // all 216 paths; x [216, 20]
Tensor the_parameters();           // [20]
Tensor repeated(int64_t samples);  // the same for each sample, a leaf [N, 20]

// What the sum over all paths says.
struct Exact {
    Tensor gradient;           // [20]
    Tensor probability, loss;  // [216]
    Tensor score;              // ∇ ln p of each step, [216, 3, 20]
    Tensor loss_gradient;      // [216, 20]

    // Of REINFORCE with one baseline for each step, [1, 3] or a number, summed over the parameters:
    // E|Σₜ (L - bₜ) gₜ + ∇L|² - |∇ E[L]|².
    double variance(const Tensor& baseline) const;
};
Exact sum_over_all_paths();

// x [N, 20] -> a number whose gradient is the mean of N estimates.
using Estimator = std::function<Tensor(const Tensor& x, Rng& rng)>;

struct Measured {
    double errors_off = 0;  // the largest distance from the exact gradient, in standard errors
    double bias = 0;        // the distance of the mean from it, as a share of its length
    double variance = 0;    // of one sample, summed over the parameters
};
// In rounds of 2000 samples. Samples of one group, which lie 2000 / group apart, make one estimate;
// the variance is that of an estimate times the size of the group: what a sample is worth.
Measured measure(const Estimator& estimator, const Exact& exact, Rng& rng, int rounds,
                 int64_t group = 1);

}  // namespace heed::lesson12
