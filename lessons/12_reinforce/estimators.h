// Estimators of the gradient: REINFORCE with one baseline or another, and two biased shortcuts.
//
//     const Measured m = measure(with_others(4), exact, rng, rounds, 4);
//
// Those that take a reference keep it, and change what it refers to with every estimate.
#pragma once

#include "lessons/12_reinforce/problem.h"
#include "nn/nn.h"

namespace heed::three_looks {

// An estimator in a table of some.
struct Contender {
    const char* name;
    Estimator estimator;
    double closed_form = 0;  // its variance; 0: there is no formula
    int64_t group = 1;       // samples that share an estimate
};

// The same for every path: a number, one for each step [1, 3], or none if not defined.
Estimator with_baseline(const Tensor& baseline);
Estimator with_baseline(double baseline);

// The moving average of the losses of earlier calls.
Estimator with_moving_average(MovingAverage& average);

// A guess from the state before each choice, trained one step by the optimiser in every call.
Estimator with_learned(LearnedBaseline& baseline, Optimiser& optimiser);
constexpr int64_t state_width = steps + steps * locations;  // what a state is made of, see the .cpp

// The mean loss of the other samples of a group; sample i is in a group with i + N / group ...
Estimator with_others(int64_t group);

// The drawn place forwards, the softmax backwards.
Estimator straight_through();

// Noisy weights in place of a drawn place.
Estimator gumbel(double temperature);

}  // namespace heed::three_looks
