// The diagram of two backward passes.
#pragma once

#include "lessons/course/figures/diagram.h"

namespace heed::workshop2 {

// From the inputs to the function, its gradient, and one row of its Hessian.
course::Diagram diagram_of_two_passes();

}  // namespace heed::workshop2
