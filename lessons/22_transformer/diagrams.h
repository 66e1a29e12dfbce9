// The diagrams of lesson 22: a block with pre-norm and with post-norm, the Transformer, and a block
// of its decoder.
#pragma once

#include <vector>

#include "lessons/course/figures/figures.h"

namespace heed::lesson22 {

std::vector<course::Diagram> block_diagrams();
std::vector<course::Diagram> transformer_diagrams();

}  // namespace heed::lesson22
