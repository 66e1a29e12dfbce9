// The graph that the engine recorded, as a picture with values and gradients in it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "autograd/tensor/tensor.h"
#include "lessons/course/figures/figures.h"

// All that `y` was computed from, leaves under their names. The graph must have been recorded while
// a RememberValues lived, and be small.
heed::course::Diagram picture_of(const heed::Tensor& y,
                                 const std::vector<std::pair<std::string, heed::Tensor>>& leaves);
