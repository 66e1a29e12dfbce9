// Twelve operations whose result is right and whose gradient is not, each beside its right version.
// All of them are mistakes that somebody has made: networks with most of them still learn
// something.
#pragma once

#include <string>
#include <vector>

#include "autograd/base/shape.h"
#include "autograd/check/gradcheck.h"

struct PlantedBug {
    std::string operation, mistake;
    std::vector<heed::Shape> inputs;
    heed::DifferentiableFunction wrong, right;
};

std::vector<PlantedBug> planted_bugs();
