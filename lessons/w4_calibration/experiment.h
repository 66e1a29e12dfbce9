// The forecasters of the workshop: networks trained with and without label smoothing, on the weather of
// several climates, and what is measured of their forecasts.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "lessons/course/course.h"
#include "lessons/w4_calibration/data.h"
#include "nn/nn.h"

namespace heed::workshop4 {

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

// The forecasts whose confidence lies in one of `count` equal parts of 0 to 1.
struct Bin {
    double confidence = 0, right = 0;  // sums
    int forecasts = 0;
};
std::vector<Bin> bins_of(const Sureness& sure, int count);

// What the page computes of forecasts: their calibration error, and the temperature they need.
struct Measures {
    std::function<double(const Sureness& sure)> error;
    std::function<double(const Tensor& logits, const Indices& outcome)> temperature;
};

// What is measured of one kind of forecasts, a number for each climate.
struct Record {
    std::vector<double> accuracy, confidence, error, loss, kl;
    Sureness all;  // the days of all climates

    void add(const Tensor& logits, const World& world, const Measures& measures);
    double excess() const;  // of confidence over accuracy
};

struct Training {
    int days;
    double smoothing;
    int steps;
};

// Networks without a remedy, with the chosen temperature, with label smoothing, and with both.
struct Findings {
    Record plain, cooled, smoothed, both;
    std::vector<double> temperature, temperature_smoothed;
};
Findings compare_remedies(course::Lesson& lesson, const Training& how, int climates,
                          const Measures& measures);

// Two forecasters who do not learn: one says the same every day, one knows the true probabilities.
struct Unlearned {
    Record always, truth;
};
Unlearned without_learning(course::Lesson& lesson, int climates, const Measures& measures);

}  // namespace heed::workshop4
