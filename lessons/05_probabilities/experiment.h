// The forecasters of the lesson: networks trained with and without label smoothing, on the weather
// of one climate.
#pragma once

#include <functional>
#include <vector>

#include "lessons/05_probabilities/data.h"
#include "nn/nn.h"

namespace heed::lesson05 {

// A hidden layer of 64 units, and a logit for each outcome.
struct Forecaster {
    Linear hidden, output;

    explicit Forecaster(Rng& rng);
    template <class F>
    void visit(F&& f) {
        f("hidden", hidden);
        f("output", output);
    }
    Tensor operator()(const Tensor& x) const;  // [N, measurements] -> [N, outcomes]
};

// The days of one climate.
struct World {
    Climate climate;
    Days train, valid, test;  // 10,000, 300 and 4,000 days
    Tensor truth;             // [4000, outcomes]: the true probabilities of the test days

    explicit World(Rng& rng);
};

// `steps` steps of Adam on the first `days` training days; each step uses at most 300 of them,
// drawn anew when all have been used. watch(step, model) is called after each step; `watched` are the
// variables that it changes.
using Watch = std::function<void(int step, const Forecaster& model)>;
Forecaster trained(const World& world, int days, double smoothing, int steps, uint64_t seed,
                   const Watch& watch = {}, std::vector<SavedState> watched = {});

// The logits of a model, in float64 and without recording.
Tensor logits_of(const Forecaster& model, const Tensor& x);

// For each day: the largest probability, and whether its outcome came.
struct Sureness {
    std::vector<double> confidence;
    std::vector<bool> right;

    double mean_confidence() const;
    double accuracy() const;
    void append(const Sureness& other);
};
Sureness sureness(const Tensor& probabilities, const Indices& outcome);

}  // namespace heed::lesson05
