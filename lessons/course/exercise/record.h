// What the reader has done with the exercises: .heed/exercises.tsv, a line for each event with the
// exercise's ID and name, the date, and the event, such as "hint" or "solved".
#pragma once

#include <string>

#include "lessons/course/exercise/exercise.h"

namespace heed::course {

// How often this event is recorded below `root`. Exercises are found by their names, because a later
// version of the course may give them other numbers.
int count_events(const std::string& root, const Exercise& exercise, const std::string& event);

inline bool solved(const std::string& root, const Exercise& exercise) {
    return count_events(root, exercise, "solved") > 0;
}

// Adds a line.
[[nodiscard]] std::string record_event(const Exercise& exercise, const std::string& event);

}  // namespace heed::course
