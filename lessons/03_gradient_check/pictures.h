// The diagram of a gradient check.
#pragma once

#include "lessons/course/figures/diagram.h"

namespace heed::lesson03 {

// Inputs, function, covector and the comparison as boxes and arrows.
course::Diagram diagram_of_a_check();

}  // namespace heed::lesson03
