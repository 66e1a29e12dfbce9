// The bytes of a training step as a diagram.
#pragma once

#include "lessons/course/figures/diagram.h"

namespace heed::lesson30 {

// One training step: what each part keeps, and for how long.
course::Diagram training_step();

}  // namespace heed::lesson30
