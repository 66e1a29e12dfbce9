// Random graphs: connected, undirected, without double edges.
//
//     Graph graph = random_graph(16, 2, rng);
//     std::vector<int> hops = distances(graph, 0);    // from node 0 to each
//
// First a tree is made in which each new node is connected to one of the three before it, so that
// the tree is long and not wide. Then edges are added between nodes that are not neighbours.
// Finally the nodes are numbered at random, so that a number says nothing about its node. With 16
// nodes and 2 added edges, the largest distance is about 6 hops.
#pragma once

#include <vector>

#include "autograd/tensor/random.h"
#include "autograd/tensor/tensor.h"

namespace heed::course {

struct Graph {
    std::vector<std::vector<int>> neighbours;  // of each node

    int size() const { return static_cast<int>(neighbours.size()); }
};

// Throws heed::Error for fewer than two nodes, or for more edges than the nodes can have.
Graph random_graph(int nodes, int added_edges, Rng& rng);

// The number of hops from one node to each.
std::vector<int> distances(const Graph& graph, int from);

// An attention mask [B, N, N], for graphs of the same size: 1 if row and column are neighbours or
// the same node.
Tensor neighbour_mask(const std::vector<Graph>& graphs, Dtype dtype = Dtype::float32);

}  // namespace heed::course
