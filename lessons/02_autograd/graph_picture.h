// Draws the graph that the engine recorded, with values and gradients in its boxes.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "autograd/tensor/tensor.h"
#include "lessons/course/figures/figures.h"

// The graph of `y`: one box for each operation and leaf; leaves have the names given here. Values
// appear if a RememberValues object existed while the graph was recorded. Meant for small graphs.
heed::course::Diagram picture_of(const heed::Tensor& y,
                                 const std::vector<std::pair<std::string, heed::Tensor>>& leaves);
