// Draws the graph that the engine recorded, with values and gradients in its boxes.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "autograd/tensor/tensor.h"
#include "lessons/course/figures/figures.h"

namespace heed::lesson02 {

// The graph of `y`: one box for each operation and leaf; leaves have the names given here. Values
// appear if a RememberValues object existed while the graph was recorded, and slopes
// after a backward pass. Meant for small graphs.
course::Diagram picture_of(const Tensor& y,
                           const std::vector<std::pair<std::string, Tensor>>& leaves);

}  // namespace heed::lesson02
