// Compares all kinds of positions on one task, within the training length and at greater lengths.
#pragma once

#include <map>
#include <vector>

#include "lessons/20_positions/model.h"
#include "lessons/course/lesson/lesson.h"

namespace heed::lesson20 {

// The accuracy in each of the ranges of model.h, mean over seeds.
using Accuracies = std::map<PositionKind, std::vector<double>>;

// Trains and tests every kind of positions with `seeds` seeds. Shows the table and the curves.
Accuracies compare_positions(course::AtCall lesson, Task task, int steps, int seeds);

// "the token before"
const char* name_of(Task task);

}  // namespace heed::lesson20
