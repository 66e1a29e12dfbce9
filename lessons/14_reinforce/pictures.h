// The two cameras and the measurements, as tables and figures.
#pragma once

#include <functional>
#include <vector>

#include "lessons/14_reinforce/experiment.h"
#include "lessons/course/lesson/lesson.h"
#include "lessons/material/corpora/two_cameras.h"

namespace heed::lesson14 {

// --- the two cameras ----------------------------------------------------------------------------

// Soft attention, hard attention, and hard attention with the term that REINFORCE adds.
std::vector<course::Diagram> choice_diagrams();

// Changes x by 0.001 and counts how often the sampled loss changes, in 100,000 draws. Shows the
// table.
void show_changes(course::AtCall lesson, double x,
                  const std::function<double(double x, double u)>& sampled_loss);

// The loss of two draws, and the mean loss of a thousand draws, against the score. Shows the plot.
void show_steps(course::AtCall lesson,
                const std::function<double(double x, double u)>& sampled_loss);

// How far means of 1, 2, 5, ... 1000 estimates are spread, without a baseline and with the mean
// loss. Shows the plot.
void show_scatter(course::AtCall lesson, const two_cameras::EstimateOf& estimate, double x,
                  double mean_loss);

// --- measurements -------------------------------------------------------------------------------

struct BaselineResult {
    std::vector<double> variance;  // measured, one for each row
    double standard_errors = 0;    // the largest of all rows
    double gap = 0;                // the largest |measured / exact variance - 1|
};
// Measures each estimator; `changing` is what they change. Shows the table and the bar chart.
BaselineResult show_baselines(course::AtCall lesson, const std::vector<NamedEstimator>& rows,
                              const Exact& exact, Rng& rng, int batches,
                              const std::vector<SavedState>& changing);

// Bias, variance and standard errors of each estimator. Shows the table.
std::vector<Measured> show_biases(course::AtCall lesson, const std::vector<NamedEstimator>& rows,
                                  const Exact& exact, Rng& rng, int batches);

// Eight Gumbel-softmax samples at each of two temperatures, from the probabilities 0.8 and 0.2.
// Shows the heat maps.
void show_gumbel_samples(course::AtCall lesson);

// errors_of_means() of REINFORCE without a baseline and with the mean loss, of straight-through, and
// of Gumbel-softmax at temperature 1. Shows the curves.
std::vector<Averaged> show_averages(course::AtCall lesson, const Exact& exact, Rng& rng,
                                    int batches);

}  // namespace heed::lesson14
