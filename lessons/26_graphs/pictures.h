// A paper with its neighbours, and one layer of graph attention as a diagram.
#pragma once

#include "lessons/course/figures/arrows.h"
#include "lessons/course/figures/diagram.h"
#include "lessons/material/corpora/communities.h"

namespace heed::lesson26 {

// The first paper with six neighbours, in the middle of them. Throws heed::Error if there is none.
course::Arrows paper_with_neighbours(const course::CommunityGraph& graph);

// One layer of graph attention, for the edges that arrive at one paper.
course::Diagram graph_attention_layer();

}  // namespace heed::lesson26
