// Estimators of the gradient of a small problem (lessons/material/corpora/three_looks.h), REINFORCE with
// several baselines and two biased ones, and measures of how far they are from the exact gradient.
//
//     const Measured m = measure(with_leave_one_out(4), exact, rng, batches, 4);
//
// An estimator that takes a reference keeps the reference, and updates the object with every
// estimate.
#pragma once

#include <vector>

#include "lessons/material/corpora/three_looks_exact.h"
#include "nn/nn.h"

namespace heed::lesson14 {

using three_looks::Estimator;
using three_looks::Exact;

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

// --- estimators ---------------------------------------------------------------------------------

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
constexpr int64_t state_width =
    three_looks::steps * (1 + three_looks::locations);  // step and earlier choices, one-hot

// The moving average and the learned baseline, trained on forty batches; they go on learning while they are
// measured.
struct TrainedBaselines {
    TrainedBaselines(const Exact& exact, Rng& rng);

    MovingAverage average;
    LearnedBaseline learned;
    Adam adam;
    Estimator moving, learning;
    std::vector<SavedState> changing;
};

// The baseline of a sample is the mean loss of the other samples of its group; sample i is in a
// group with i + N / group, i + 2 N / group, ...
Estimator with_leave_one_out(int64_t group);

// A sample in the forward pass, the softmax in the backward pass.
Estimator straight_through();

// Gumbel-softmax: noisy weights instead of a sample.
Estimator gumbel(double temperature);

// --- averages -----------------------------------------------------------------------------------

// Measures the error of an estimate by the number of samples that are averaged.
//
// The distance of the mean of 125, 250, 500, ... samples from the exact gradient, as a share of the
// gradient's length. It is the root mean square over all such means of `batches` batches of 2000
// samples, at least four.
struct Averaged {
    std::vector<double> samples, distance;
};
Averaged errors_of_means(const Estimator& estimator, const Exact& exact, Rng& rng, int batches);

}  // namespace heed::lesson14
