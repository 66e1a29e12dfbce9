// The figures of the lesson.
#pragma once

#include <vector>

#include "lessons/33_states/experiment.h"

namespace heed::lesson33 {

// A cache that grows beside a state that does not.
std::vector<course::Diagram> cache_and_state();

// The error of each rule against the number of pairs written.
course::LinePlot error_plot(const std::vector<double>& counts,
                            const std::vector<std::pair<std::string, std::vector<double>>>& errors);

}  // namespace heed::lesson33
