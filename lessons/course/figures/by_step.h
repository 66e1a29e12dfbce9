// A sequence of positive numbers that shrinks or grows at each step: as a line of a plot, and the factor of
// one step.
#pragma once

#include <string>
#include <vector>

#include "lessons/course/figures/line_plot.h"

namespace heed::course {

// The values against 0, 1, 2, ...
Series by_step(const std::string& name, const std::vector<double>& values);

// The factor by which the values change at each step: a line fitted to their logarithms by least squares.
double factor_of_a_step(const std::vector<double>& values);

}  // namespace heed::course
