// The two ways from the first word to the last.
#pragma once

#include "lessons/course/figures/arrows.h"

namespace heed::lesson21 {

// Through all words between, where each step keeps half of what came, and past them in one step.
course::Arrows two_ways(int words);

}  // namespace heed::lesson21
