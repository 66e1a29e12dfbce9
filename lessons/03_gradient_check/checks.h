// The table of the planted bugs, and which check finds which.
#pragma once

#include <functional>

#include "lessons/03_gradient_check/planted_bugs.h"
#include "lessons/course/course.h"

// The largest error that a check finds: with a random covector if there is a generator, otherwise
// with a plain sum.
using Check = std::function<double(const heed::DifferentiableFunction& f,
                                   const std::vector<heed::Tensor>& inputs, heed::Rng* covector)>;

struct Caught {
    int ones = 0, sum = 0, covector = 0, both_orders = 0;  // bugs found of twelve
    int right_passed = 0;                                  // correct versions that pass all checks
    int agreed = 0;  // bugs on which the lesson's check and the library's agree
    double softmax_sum = 0, softmax_covector = 0;  // errors found in the softmax
};
Caught show_planted_bugs(heed::course::Lesson& lesson, const Check& largest_error);

// Inputs, function, covector and the comparison as boxes and arrows.
heed::course::Diagram diagram_of_a_check();
