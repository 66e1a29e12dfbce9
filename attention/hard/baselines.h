// Baselines: numbers b subtracted from the loss in REINFORCE, (L - b) ∇ ln p, so that it varies
// less and stays right on average. The one rule: b must not depend on the choice it is subtracted
// for.
//
//     none            a tensor that is not defined()
//     constant        scalar(b)
//     moving average  MovingAverage     of past losses (Xu et al. 2015, section 4.1)
//     learned         LearnedBaseline   from the state before the choice (Mnih, Gregor 2014, 2.3)
//     leave one out   leave_one_out     the other samples of the same example (Mnih and Rezende
//                                       2016; Kool, van Hoof, Welling 2019)
//     optimal         optimal_baseline  the constant, one a step, of least variance (Greensmith,
//                                       Bartlett, Baxter 2004, section 4; Weaver and Tao 2001)
//
//     MovingAverage average;                                             // before training
//     backward(reinforce(loss, log_prob, scalar(average.value)));        // loss, log_prob [N]
//     average.update(loss);
#pragma once

#include "nn/layers/layers.h"

namespace heed {

// b ← d b + (1 - d) mean L. Use `value` first, update() after: in the other order the baseline has
// seen the choice. Before the first update it is 0; the first sets it to the mean.
struct MovingAverage {
    double decay = 0.9;
    double value = 0;
    bool begun = false;

    void update(const Tensor& loss);
};

// b = wᵀ s + c, predicted from the state s in which a choice is about to be made. The state is
// detached: the baseline must not change what the network reads and remembers. Add loss() to what
// is minimised, or give it an optimiser of its own.
struct LearnedBaseline {
    Linear output;  // [1, D]

    LearnedBaseline() = default;
    LearnedBaseline(int64_t state_width, Rng& rng);
    template <class F>
    void visit(F&& f) {
        f("output", output);
    }
    Tensor operator()(const Tensor& state) const;  // [..., D] -> [...]
    // Mean of (b - L)² with L as a constant; b of the shape of loss [...] or [..., T].
    Tensor loss(const Tensor& predicted, const Tensor& loss) const;
};

// For S samples of each example, loss [S, ...]: each gets the mean of the S - 1 others. Throws when
// S < 2.
Tensor leave_one_out(const Tensor& loss);

// The best constant for each step:  bₜ = E[L gₜ·G] / E[gₜ·G],  gₜ = ∇ ln p(aₜ), G = Σₛ gₛ.
// (E[gₜ·gₛ] = 0 for s ≠ t, so the steps can be solved for one by one, and the denominator is
// E|gₜ|².) loss [N], products gₜ·G [N, T] (where steps share no parameters gₜ·G is |gₜ|²),
// probability of each sample [N] if the samples are all paths enumerated, else not defined: all
// alike. Result [1, T], a constant. Estimated from the samples it is then used for, it has seen
// their choices: estimate it from others. For losses that do not depend on the same parameters.
Tensor optimal_baseline(const Tensor& loss, const Tensor& products, const Tensor& probability = {});

// |∇ ln αₐ|² with respect to the scores, 1 - 2 αₐ + Σ α²: scores [..., K], places [...] -> [...].
Tensor log_prob_gradient_square(const Tensor& scores, const Indices& places,
                                const Tensor& mask = {});

}  // namespace heed
