// Twelve operations whose result is right and whose gradient is wrong, each beside its correct
// version. People have made all of these mistakes, and networks with most of them still learn
// something.
#pragma once

#include <string>
#include <vector>

#include "autograd/base/shape.h"
#include "autograd/check/gradcheck.h"

namespace heed::workshop2 {

struct PlantedBug {
    std::string operation, mistake;
    std::vector<Shape> inputs;
    DifferentiableFunction wrong, right;
};

std::vector<PlantedBug> planted_bugs();

}  // namespace heed::workshop2
