// The three colours with which the six scores are computed by hand, and the results of the four tasks.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "attention/scores/score.h"
#include "lessons/course/course.h"
#include "lessons/w10_score_functions/model.h"

namespace heed::workshop10 {

// --- three colours ------------------------------------------------------------------------------

// Keys: how much red and green light. The query is orange.
struct Entries {
    Tensor query;  // [D]
    Tensor keys;   // [K, D]
};
Entries three_colours();

// The scores of the three keys and the weights they lead to, for each formula.
void show_scores(course::AtCall lesson, const std::vector<std::pair<std::string, Tensor>>& scores);

// How each score is computed, as diagrams.
std::vector<course::Diagram> score_diagrams();

// --- measurements -------------------------------------------------------------------------------

// Mean accuracies of all scores on all tasks.
class Accuracies {
  public:
    double of(ScoreKind kind, Task task) const { return means_.at({kind, task}); }
    double best(const std::vector<ScoreKind>& kinds, const std::vector<Task>& tasks) const;
    ScoreKind most_tasks() const;  // the score with the most accuracies above 0.9

  private:
    friend Accuracies show_tasks(course::AtCall lesson, int steps);
    std::map<std::pair<ScoreKind, Task>, double> means_;
};
Accuracies show_tasks(course::AtCall lesson, int steps);

// Dot and scaled dot on task symbols, each with initial scores of variance 32 and of variance 1.
struct InitialValues {
    double dot_large, dot_small, scaled_large, scaled_small;
};
InitialValues show_initial_values(course::AtCall lesson, int steps);

}  // namespace heed::workshop10
