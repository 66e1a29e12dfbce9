// A graph given by its edges: which node may attend to which. It is the sparse counterpart of an
// attention mask: instead of a table of N x N ones and zeros it holds one pair of indices for each one.
//
//     // Three papers; 1 and 2 both cite 0. Edges in both directions, and from each node to itself.
//     SparseGraph graph(3, {1, 2}, {0, 0}, {.both_directions = true, .self_loops = true});
//
// An edge leads from its source to its target, and the target attends to the source: node t attends
// to the sources of the edges that arrive at it. The edges are kept sorted by target, then by source,
// so those that arrive at one node follow each other: they are the segments of autograd/ops/index/segments.h.
//
// Shapes: N nodes, E edges. Sources and targets may be nodes of two kinds (keys and queries), of
// different numbers; otherwise both are the same nodes. A batch of graphs is one graph without edges
// between its members: disjoint_union().
#pragma once

#include <vector>

#include "autograd/ops/index/segments.h"
#include "autograd/tensor/tensor.h"

namespace heed {

struct SparseGraphOptions {
    bool both_directions = false;  // adds the edge back for each edge, where it is missing
    bool self_loops = false;       // adds an edge from each node to itself, where it is missing
};

class SparseGraph {
  public:
    SparseGraph() : SparseGraph(0, 0, {}, {}) {}
    // Edge i leads from source[i] to target[i]. Throws for a node outside [0, nodes), for lists of
    // different lengths, and for an edge that is given twice.
    SparseGraph(Integer nodes, const Indices& source, const Indices& target,
                const SparseGraphOptions& options = {});
    // Sources and targets of two kinds: source[i] < sources, target[i] < targets.
    SparseGraph(Integer sources, Integer targets, const Indices& source, const Indices& target);

    int64_t sources() const { return sources_; }       // the number of nodes that are attended to
    int64_t targets() const { return into_.count(); }  // the number of nodes that attend
    int64_t edges() const { return source_.count(); }  // E
    const Indices& source() const { return source_; }  // [E]
    const Indices& target() const { return into_.ids(); }  // [E], never falling
    // The edges that arrive at each target.
    const Segments& into() const { return into_; }

  private:
    int64_t sources_ = 0;
    Indices source_;
    Segments into_;
};

// The graph of a mask [Q, K] or [1, Q, K]: an edge from k to q where it is not 0. With Q = K the nodes
// are the same. And back: [Q, K], 1 where the target may attend to the source.
SparseGraph graph_of_mask(const Tensor& mask);
Tensor dense_mask(const SparseGraph& graph, Dtype dtype = Dtype::float32);

// Throws unless the edges are between the same nodes.
void check_one_kind(const SparseGraph& graph, const char* operation);
// For messages of a tensor [N, ...] that does not fit.
constexpr const char* nodes_of_graph = "one row for each node of the graph";

// x [N, ...] with 0 for the nodes of which no edge begins or ends: nothing reads them. If all numbers
// are finite, x itself.
Tensor connected(const Tensor& x, const SparseGraph& graph);

// All graphs side by side: the nodes of the second are numbered after those of the first, and so on.
SparseGraph disjoint_union(const std::vector<SparseGraph>& graphs);

}  // namespace heed
