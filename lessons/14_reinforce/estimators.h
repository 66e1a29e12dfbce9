// Estimators of the gradient: REINFORCE with several baselines, and two biased estimators.
//
//     const Measured m = measure(with_leave_one_out(4), exact, rng, batches, 4);
//
// An estimator that takes a reference keeps the reference, and updates the object with every
// estimate.
#pragma once

#include "lessons/14_reinforce/problem.h"
#include "nn/nn.h"

namespace heed::three_looks {

// An estimator in a table.
struct NamedEstimator {
    const char* name;
    Estimator estimator;
    double closed_form = 0;  // its exact variance; 0 if there is no formula
    int64_t group = 1;       // samples that share an estimate
};

// The same baseline for every path: a number, or one for each step [1, 3]. An undefined tensor
// means no baseline.
Estimator with_baseline(const Tensor& baseline);
Estimator with_baseline(double baseline);

// The moving average of the losses of earlier calls.
Estimator with_moving_average(MovingAverage& average);

// Predicts the loss from the state before each choice. Every call trains it by one step of the
// optimiser.
Estimator with_learned(LearnedBaseline& baseline, Optimiser& optimiser);
constexpr int64_t state_width = steps + steps * locations;  // step and earlier choices, one-hot

// The baseline of a sample is the mean loss of the other samples of its group; sample i is in a
// group with i + N / group, i + 2 N / group, ...
Estimator with_leave_one_out(int64_t group);

// A sample in the forward pass, the softmax in the backward pass.
Estimator straight_through();

// Gumbel-softmax: noisy weights instead of a sample.
Estimator gumbel(double temperature);

}  // namespace heed::three_looks
