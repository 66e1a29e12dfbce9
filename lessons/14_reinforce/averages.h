// Measures the error of an estimate by the number of samples that are averaged.
#pragma once

#include <vector>

#include "lessons/14_reinforce/problem.h"
#include "lessons/course/lesson/lesson.h"

namespace heed::three_looks {

// The distance of the mean of 125, 250, 500, ... samples from the exact gradient, as a share of the
// gradient's length. It is the root mean square over all such means of `batches` batches of 2000
// samples, at least four.
struct Averaged {
    std::vector<double> samples, distance;
};
Averaged errors_of_means(const Estimator& estimator, const Exact& exact, Rng& rng, int batches);

// The same for REINFORCE without a baseline and with the mean loss, straight-through, and
// Gumbel-softmax at temperature 1. Shows the curves.
std::vector<Averaged> show_averages(course::Lesson& lesson, const Exact& exact, Rng& rng,
                                    int batches);

}  // namespace heed::three_looks
