// One layer of graph attention as a diagram.
#pragma once

#include "lessons/course/figures/diagram.h"

namespace heed::lesson26 {

// One layer of graph attention, for the edges that arrive at one paper.
course::Diagram graph_attention_layer();

}  // namespace heed::lesson26
