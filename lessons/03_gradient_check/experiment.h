// What the lesson measures: which check finds which of the planted bugs, and the errors of finite
// differences against their step.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "lessons/03_gradient_check/planted_bugs.h"
#include "lessons/course/course.h"

namespace heed::lesson03 {

// --- the planted bugs ---------------------------------------------------------------------------

// The largest error that a check finds: with a random covector if there is a generator, otherwise
// with a plain sum.
using Check = std::function<double(const DifferentiableFunction& f,
                                   const std::vector<Tensor>& inputs, Rng* covector)>;

struct Caught {
    int ones = 0, sum = 0, covector = 0, both_orders = 0;  // bugs found of twelve
    int right_passed = 0;                                  // correct versions that pass all checks
    int agreed = 0;  // bugs on which the lesson's check and the library's agree
    double softmax_sum = 0, softmax_covector = 0;  // errors found in the softmax
};
Caught show_planted_bugs(course::Lesson& lesson, const Check& largest_error);

// --- the step of a difference -------------------------------------------------------------------

// The error of a difference at a step.
struct DifferenceKind {
    std::string name;
    std::function<double(double h)> error;
};

struct StepErrors {
    course::LinePlot plot;

    double best_step(int kind) const;
    double smallest_error(int kind) const;
    double error_at(int kind, double h) const;             // at the nearest measured step
    double slope(int kind, double from, double to) const;  // on logarithmic axes
};

// Measures each kind at steps from 1 down to 1e-12, four to a power of ten, and draws the curves.
StepErrors show_steps(course::Lesson& lesson, const std::vector<DifferenceKind>& kinds);

}  // namespace heed::lesson03
