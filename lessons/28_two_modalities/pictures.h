// The model of the lesson as a diagram.
#pragma once

#include "lessons/course/figures/diagram.h"

namespace heed::lesson28 {

// The two encoders, the table of scores, and its two readings.
course::Diagram two_encoders();

}  // namespace heed::lesson28
