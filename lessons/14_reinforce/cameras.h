// The tables and figures of the two cameras of lesson 14. Camera A is drawn if the random number u,
// uniform between 0 and 1, is below its probability.
#pragma once

#include <functional>
#include <vector>

#include "lessons/course/lesson/lesson.h"

namespace heed::lesson14 {

// Soft attention, hard attention, and hard attention with the term that REINFORCE adds.
std::vector<course::Diagram> choice_diagrams();

// Changes x by 0.001 and counts how often the sampled loss changes, in 100,000 draws. Shows the
// table.
void show_changes(course::Lesson& lesson, double x,
                  const std::function<double(double x, double u)>& sampled_loss);

// One estimate of the gradient, from a random number u and a baseline b.
using EstimateOf = std::function<double(double x, double u, double b)>;

struct Spread {
    double mean, variance;
};
// Exact, from the two outcomes and their probabilities.
Spread spread(const EstimateOf& estimate, double x, double baseline);

// The two outcomes for each baseline, their mean and variance. Shows the table; returns the
// variances.
std::vector<double> show_outcomes(course::Lesson& lesson, const EstimateOf& estimate, double x,
                                  const std::vector<double>& baselines);

// How far means of 1, 2, 5, ... 1000 estimates are spread, without a baseline and with the mean
// loss. Shows the plot.
void show_scatter(course::Lesson& lesson, const EstimateOf& estimate, double x, double mean_loss);

}  // namespace heed::lesson14
