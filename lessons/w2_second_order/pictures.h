// The figures of the workshop.
#pragma once

#include "autograd/tensor/tensor.h"
#include "lessons/course/figures/figures.h"

namespace heed::workshop2 {

// From the inputs to the function, its gradient, and one row of its Hessian.
course::Diagram diagram_of_two_passes();

// The elements of a Hessian [D, D] as shades, with the names x1, x2, ... of the inputs.
course::HeatMap map_of_hessian(const Tensor& hessian);

}  // namespace heed::workshop2
