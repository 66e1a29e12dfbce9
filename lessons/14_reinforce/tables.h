// The measurements of lesson 14 as tables and figures.
#pragma once

#include <vector>

#include "lessons/14_reinforce/estimators.h"
#include "lessons/course/lesson/lesson.h"

namespace heed::three_looks {

struct BaselineResult {
    std::vector<double> variance;  // measured, one for each row
    double standard_errors = 0;    // the largest of all rows
    double gap = 0;                // the largest |measured / exact variance - 1|
};
// Measures each estimator; `changing` is what they change. Shows the table and the bar chart.
BaselineResult show_baselines(course::Lesson& lesson, const std::vector<NamedEstimator>& rows,
                              const Exact& exact, Rng& rng, int batches,
                              const std::vector<SavedState>& changing);

// Bias, variance and standard errors of each estimator. Shows the table.
std::vector<Measured> show_biases(course::Lesson& lesson, const std::vector<NamedEstimator>& rows,
                                  const Exact& exact, Rng& rng, int batches);

// Eight Gumbel-softmax samples at each of two temperatures, from the probabilities 0.8 and 0.2.
// Shows the heat maps.
void show_gumbel_samples(course::Lesson& lesson);

// The exact variances of REINFORCE with three baselines: the mean loss, and the best constants by
// two formulas. Shows the table.
struct SharedResult {
    double mean_loss, without_term, with_term;
};
SharedResult show_shared(course::Lesson& lesson, const Exact& exact, const Tensor& without_term,
                         const Tensor& with_term);

}  // namespace heed::three_looks
