// The errors of finite differences against their step.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lessons/course/course.h"

namespace heed::lesson03 {

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
StepErrors show_steps(course::AtCall lesson, const std::vector<DifferenceKind>& kinds);

}  // namespace heed::lesson03
