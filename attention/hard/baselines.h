// Baselines: numbers b subtracted from the loss in REINFORCE, (L - b) ∇ ln p. They reduce the
// variance of the estimate and leave its expectation as it is, provided that b does not depend on
// the action whose ∇ ln p it multiplies.
//
//     none            a tensor that is not defined()
//     constant        scalar(b)
//     moving average  MovingAverage     of past losses (Xu et al. 2015, section 4.1)
//     learned         LearnedBaseline   from the state before the action (Mnih, Gregor 2014, 2.3)
//     leave one out   leave_one_out     the other samples of the same example (Mnih and Rezende
//                                       2016; Kool, van Hoof, Welling 2019)
//     optimal         optimal_baseline  the constant of each step of least variance (Greensmith,
//                                       Bartlett, Baxter 2004; Weaver and Tao 2001)
//
//     MovingAverage average;                                             // before training
//     backward(reinforce(loss, log_prob, scalar(average.value)));        // loss, log_prob [N]
//     average.update(loss);
#pragma once

#include "nn/layers/layers.h"

namespace heed {

// b ← d b + (1 - d) mean L. Use `value` first and call update() afterwards; otherwise the baseline
// depends on the action. Before the first update it is 0; the first sets it to the mean.
struct MovingAverage {
    double decay = 0.9;
    double value = 0;
    bool begun = false;

    void update(const Tensor& loss);  // [...], the losses of a batch
    // For checkpoints (nn/saved/saved_state.h).
    template <class F>
    void visit_state(F&& f) {
        f("value", value), f("begun", begun);
    }
};

// b = wᵀ s + c, predicted from the state s before the action. The state is detached, so that the
// baseline's loss does not train the network that computes it. Add loss() to the loss that is
// minimised, or give the baseline an optimiser of its own.
struct LearnedBaseline {
    Linear output;  // [1, D]

    LearnedBaseline() = default;
    LearnedBaseline(Integer state_width, Rng& rng);
    template <class F>
    void visit(F&& f) {
        f("output", output);
    }
    Tensor operator()(const Tensor& state) const;  // [..., D] -> [...]
    // Mean of (b - L)² with L as a constant; b of the shape of loss [...] or [..., T].
    Tensor loss(const Tensor& predicted, const Tensor& loss) const;
};

// For S samples of each example, loss [S, ...] -> [S, ...]: for each sample the mean of the S - 1
// others. Throws when S < 2.
Tensor leave_one_out(const Tensor& loss);

// The best constant for each step:  bₜ = E[L gₜ·G] / E[gₜ·G],  gₜ = ∇ ln p(aₜ), G = Σₛ gₛ.
// (E[gₜ·gₛ] = 0 for s ≠ t, so each step can be solved separately, and the denominator is E|gₜ|².)
// loss [N], products gₜ·G [N, T] (if steps share no parameters, gₜ·G is |gₜ|²). probability [N] is
// that of each sample if the samples are an enumeration of all paths; not defined: all samples
// count the same. Result [1, T], a constant. Estimate it from other samples than those it is used
// for, on whose actions it must not depend. For losses that do not depend on the same parameters.
Tensor optimal_baseline(const Tensor& loss, const Tensor& products, const Tensor& probability = {});

// |∇ ln αₐ|² with respect to the scores, 1 - 2 αₐ + Σ α²: scores [..., K], indices [...] -> [...].
Tensor log_prob_gradient_square(const Tensor& scores, const Indices& indices,
                                const Tensor& mask = {});

}  // namespace heed
