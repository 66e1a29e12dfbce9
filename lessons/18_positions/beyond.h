// One question to all kinds of positions, inside the trained length and beyond.
#pragma once

#include <map>
#include <vector>

#include "lessons/18_positions/reader.h"
#include "lessons/course/lesson/lesson.h"

namespace heed::lesson18 {

// The accuracy in each of the stretches of reader.h, the mean over the seeds.
using Reached = std::map<PositionKind, std::vector<double>>;

// Trains and tests every kind from as many seeds. Shows the table and the curves.
Reached ask_all(course::Lesson& lesson, Task task, int steps, int seeds);

// "the token before"
const char* name_of(Task task);

}  // namespace heed::lesson18
