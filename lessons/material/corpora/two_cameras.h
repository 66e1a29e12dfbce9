// Two cameras, one of which is drawn: A with the probability that a softmax gives to its score x, while the
// score of B is 0. It is drawn if a random number u, uniform between 0 and 1, is below its probability. So an
// estimate of a gradient has two outcomes, and its mean and variance are exact sums of two terms.
#pragma once

#include <functional>
#include <vector>

#include "lessons/course/lesson/lesson.h"

namespace heed::two_cameras {

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

}  // namespace heed::two_cameras
