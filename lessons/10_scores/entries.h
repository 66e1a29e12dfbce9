// The dictionary of three colours with which lesson 10 begins, and what it shows of it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "lessons/course/course.h"

// Keys: how much red and green light; values: a number each. The query is orange.
struct Entries {
    heed::Tensor query;   // [D]
    heed::Tensor keys;    // [K, D]
    heed::Tensor values;  // [K]
};
Entries three_colours();

// The answers to queries near orange: that of the best key, and the weighted mean.
void show_answers(heed::course::Lesson& lesson, const Entries& colours);

// The scores of the three keys and the weights they lead to, for each formula.
void show_scores(heed::course::Lesson& lesson,
                 const std::vector<std::pair<std::string, heed::Tensor>>& scores);

// How each score is computed, as diagrams.
std::vector<heed::course::Diagram> score_diagrams();

// The gradient of two scores for weights from equal to nearly 1 and 0, for a loss
// that is the first weight: by the formula and by the library. Returns the largest difference.
double show_gradients(heed::course::Lesson& lesson);
