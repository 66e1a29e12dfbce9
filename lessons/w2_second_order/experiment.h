// What the workshop measures: which check finds which of the planted bugs.
#pragma once

#include <functional>
#include <vector>

#include "autograd/check/gradcheck.h"
#include "lessons/course/course.h"

namespace heed::workshop2 {

// The largest error that a check finds: with a random covector if there is a generator, otherwise
// with a plain sum.
using Check = std::function<double(const DifferentiableFunction& f,
                                   const std::vector<Tensor>& inputs, Rng* covector)>;

struct Caught {
    int ones = 0, sum = 0, covector = 0, both_orders = 0;  // bugs found of twelve
    int right_passed = 0;                                  // correct versions that pass all checks
    int agreed = 0;  // bugs on which the lesson's check and the library's agree
};

// Runs four checks on each bug and shows the table of what they find.
Caught show_planted_bugs(course::AtCall lesson, const Check& largest_error);

}  // namespace heed::workshop2
