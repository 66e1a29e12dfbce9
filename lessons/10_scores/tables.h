// The measurements of lesson 10 as tables and plots.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "attention/scores/score.h"
#include "lessons/10_scores/saturation.h"
#include "lessons/10_scores/tasks.h"
#include "lessons/course/course.h"

// The variance of q·k by width: the largest distance of variance / width from 1, that of the scaled
// score's variance from 1, and the variance at width 64.
struct VarianceResult {
    double plain, scaled, at_64;
};
VarianceResult show_variances(heed::course::Lesson& lesson, const std::vector<double>& widths,
                              heed::Rng& rng);

// Entropy and gradient by width: unscaled, scaled, and scaled with one key that matches.
std::vector<Sweep> show_saturation(heed::course::Lesson& lesson, const std::vector<double>& widths,
                                   heed::Rng& rng);

// Mean accuracies of all scores on all tasks.
class Accuracies {
  public:
    double of(heed::ScoreKind kind, Task task) const { return means_.at({kind, task}); }
    double best(const std::vector<heed::ScoreKind>& kinds, const std::vector<Task>& tasks) const;
    heed::ScoreKind most_tasks() const;  // the score with the most accuracies above 0.9

  private:
    friend Accuracies show_tasks(heed::course::Lesson& lesson, int steps);
    std::map<std::pair<heed::ScoreKind, Task>, double> means_;
};
Accuracies show_tasks(heed::course::Lesson& lesson, int steps);

// Dot and scaled dot on task symbols, each with initial scores of variance 32 and of variance 1.
struct InitialValues {
    double dot_large, dot_small, scaled_large, scaled_small;
};
InitialValues show_initial_values(heed::course::Lesson& lesson, int steps);
