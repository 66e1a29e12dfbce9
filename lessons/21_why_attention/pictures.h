// The two ways from the first person to the hundredth, and what a written word depends on.
#pragma once

#include <vector>

#include "lessons/course/figures/arrows.h"
#include "lessons/course/figures/shaded_text.h"

namespace heed::lesson21 {

// Through all between, each of whom passes on half of what came (0.5^99 is about 10^-30), and past them in one step.
course::Arrows two_ways();

// Is the number of ones among these bits odd? The answer at once depends on all bits, a written step on one bit and
// on the step before.
course::ShadedText what_words_depend_on(const std::vector<int>& bits);

}  // namespace heed::lesson21
