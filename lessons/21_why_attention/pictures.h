// The two ways from the first word to the last, and what a written word depends on.
#pragma once

#include <vector>

#include "lessons/course/figures/arrows.h"
#include "lessons/course/figures/shaded_text.h"

namespace heed::lesson21 {

// Through all words between, where each step keeps half of what came, and past them in one step.
course::Arrows two_ways(int words);

// Is the number of ones among these bits odd? The answer at once depends on all bits, a written step on one bit and
// on the step before.
course::ShadedText what_words_depend_on(const std::vector<int>& bits);

}  // namespace heed::lesson21
