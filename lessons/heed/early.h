// What is wrong with a command, as far as it can be known before anything is built: a build may take a minute,
// and a reader should not read half a lesson before hearing that its results cannot be written.
#pragma once

#include <string>
#include <vector>

#include "lessons/course/contents/course_list.h"
#include "lessons/heed/commands.h"

namespace heed::course {

// Throws heed::Error at the first option that none of these source files (below the root) mentions. `help` is
// the command that lists them.
void check_options(const Place& place, const Words& words, const std::vector<std::string>& sources,
                   const std::string& help);

// The options of a lesson, the files they name, and whether another run has the folder of the results.
void check_lesson(const Place& place, const ListedLesson& lesson, const Words& words);

// Whether some gradient case, or some workload, may have these words in its name: they stand somewhere in the sources.
void check_gradcheck(const Place& place, const Words& words);
void check_bench(const Place& place, const Words& words);

}  // namespace heed::course
