// A diagram as a column, for windows in which it has no room as a drawing. Each box has a line, below all that it
// is computed from, and the arrows run beside the names, each box's own in a lane of its own:
//
//       □ query ───┐
//       □ key      │
//       ▼          │
//       □ score ◀──┘
//       ├────────┐
//       ▼        │
//       ■ weights
//
// A line that goes on behind another one is not joined to it (│ between two ─); ┴ and ┤ are joined.
#pragma once

#include <string>

#include "lessons/course/figures/diagram.h"

namespace heed::course {

// If there are so many lanes that no room is left for the names: a list, "score ← query, key".
std::string rails(const Diagram& diagram, int width);

}  // namespace heed::course
