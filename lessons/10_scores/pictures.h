// The dictionary of three colours with which the lesson begins, and the measurements, as tables and
// plots.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "attention/scores/score.h"
#include "lessons/10_scores/experiment.h"
#include "lessons/10_scores/model.h"
#include "lessons/course/course.h"

namespace heed::lesson10 {

// --- three colours ------------------------------------------------------------------------------

// Keys: how much red and green light; values: a number each. The query is orange.
struct Entries {
    Tensor query;   // [D]
    Tensor keys;    // [K, D]
    Tensor values;  // [K]
};
Entries three_colours();

// The answers to queries near orange: that of the best key, and the weighted mean.
void show_answers(course::Lesson& lesson, const Entries& colours);

// The scores of the three keys and the weights they lead to, for each formula.
void show_scores(course::Lesson& lesson, const std::vector<std::pair<std::string, Tensor>>& scores);

// How each score is computed, as diagrams.
std::vector<course::Diagram> score_diagrams();

// The gradient of two scores for weights from equal to nearly 1 and 0, for a loss
// that is the first weight: by the formula and by the library. Returns the largest difference.
double show_gradients(course::Lesson& lesson);

// --- measurements -------------------------------------------------------------------------------

// The variance of q·k by width: the largest distance of variance / width from 1, that of the scaled
// score's variance from 1, and the variance at width 64.
struct VarianceResult {
    double plain, scaled, at_64;
};
VarianceResult show_variances(course::Lesson& lesson, const std::vector<double>& widths, Rng& rng);

// Entropy and gradient by width: unscaled, scaled, and scaled with one key that matches.
std::vector<Sweep> show_saturation(course::Lesson& lesson, const std::vector<double>& widths,
                                   Rng& rng);

// Mean accuracies of all scores on all tasks.
class Accuracies {
  public:
    double of(ScoreKind kind, Task task) const { return means_.at({kind, task}); }
    double best(const std::vector<ScoreKind>& kinds, const std::vector<Task>& tasks) const;
    ScoreKind most_tasks() const;  // the score with the most accuracies above 0.9

  private:
    friend Accuracies show_tasks(course::Lesson& lesson, int steps);
    std::map<std::pair<ScoreKind, Task>, double> means_;
};
Accuracies show_tasks(course::Lesson& lesson, int steps);

// Dot and scaled dot on task symbols, each with initial scores of variance 32 and of variance 1.
struct InitialValues {
    double dot_large, dot_small, scaled_large, scaled_small;
};
InitialValues show_initial_values(course::Lesson& lesson, int steps);

}  // namespace heed::lesson10
