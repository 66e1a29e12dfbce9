// The cache lines that a loop uses, as pictures.
#pragma once

#include <vector>

#include "lessons/course/figures/heat_map.h"

namespace heed::workshop1 {

// The part of A, B and C, 16 x 16 each, that 16 steps of a loop along k or along j use: 1 for a
// number that is used, 0.35 for one that is only in the same cache line.
std::vector<course::HeatMap> lines_along_k();
std::vector<course::HeatMap> lines_along_j();

}  // namespace heed::workshop1
