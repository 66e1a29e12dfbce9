// Graphs: places, and roads between some of them. Connected, undirected, no road twice.
//
//     Graph graph = random_graph(16, 2, rng);
//     std::vector<int> hops = distances(graph, 0);    // from place 0 to each
//
// How they are made: a tree in which each new place is joined to one of the three before it, so
// that it grows long rather than wide; then so many roads more between places at least two hops
// apart; then all places are renamed at random, so that a number says nothing. With 16 places and 2
// roads more the farthest two are about 6 hops apart.
#pragma once

#include <vector>

#include "autograd/ops/random.h"
#include "autograd/tensor/tensor.h"

namespace heed::course {

struct Graph {
    std::vector<std::vector<int>> neighbours;  // of each place

    int places() const { return static_cast<int>(neighbours.size()); }
};

// Throws heed::Error for fewer than two places, or more roads than there is room for.
Graph random_graph(int places, int more_roads, Rng& rng);

// The number of hops from one place to each.
std::vector<int> distances(const Graph& graph, int from);

// [B, N, N], the same number of places in each: 1 where row and column are neighbours or the same
// place. As a mask: everyone hears itself and its neighbours.
Tensor neighbour_mask(const std::vector<Graph>& graphs, Dtype dtype = Dtype::float32);

}  // namespace heed::course
