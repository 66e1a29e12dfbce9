// What averaging over more and more samples does to the error of an estimate.
#pragma once

#include <vector>

#include "lessons/12_reinforce/problem.h"
#include "lessons/course/lesson/lesson.h"

namespace heed::three_looks {

// How far the mean of 125, 250, 500 ... samples lies from the exact gradient, as a share of its
// length: the root of the mean square over as many such means as the rounds give, four or more.
struct Averaged {
    std::vector<double> samples, distance;
};
Averaged errors_of_means(const Estimator& estimator, const Exact& exact, Rng& rng, int rounds);

// The same for REINFORCE without a baseline and with the mean loss, straight-through, and
// Gumbel-softmax at temperature 1. Shows the curves.
std::vector<Averaged> show_averages(course::Lesson& lesson, const Exact& exact, Rng& rng,
                                    int rounds);

}  // namespace heed::three_looks
