// The diagram of a gradient check.
#pragma once

#include "lessons/course/figures/diagram.h"

namespace heed::lesson03 {

struct CheckDiagram {
    bool covector = false;  // for an operation whose result is a tensor
};
// Input, function and the comparison as boxes and arrows, with the covector or without it.
course::Diagram diagram_of_a_check(const CheckDiagram& what);

}  // namespace heed::lesson03
