// A paper with its neighbours, and one layer of graph attention as a diagram.
#pragma once

#include "lessons/course/figures/arrows.h"
#include "lessons/course/figures/diagram.h"
#include "lessons/material/corpora/communities.h"

namespace heed::lesson26 {

// A paper in the middle of those that it is joined to.
course::Arrows neighbours_of(const course::CommunityGraph& graph, int paper);

// One layer of graph attention, for the edges that arrive at one paper.
course::Diagram graph_attention_layer();

}  // namespace heed::lesson26
