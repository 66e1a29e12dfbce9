#include "attention/graph/sparse_graph.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "attention/scores/mask.h"
#include "autograd/ops/elementwise/compare.h"
#include "autograd/record/finite.h"
#include "autograd/tensor/shapes.h"

namespace heed {

namespace {

// (target, source): in this order edges are sorted.
using Edges = std::vector<std::pair<int, int>>;

Edges checked_edges(int64_t sources, int64_t targets, const Indices& source,
                    const Indices& target) {
    constexpr int64_t most = std::numeric_limits<int>::max();
    check(sources >= 0 && targets >= 0 && sources <= most && targets <= most,
          "SparseGraph: {} sources and {} targets; expected numbers from 0 to {}", sources, targets,
          most);
    check(source.shape().count == 1 && target.shape() == source.shape(),
          "SparseGraph: sources {} and targets {}; expected two lists of one length, an edge from "
          "source[i] to target[i]",
          source.shape(), target.shape());
    check_range(source, sources, "SparseGraph", "the number of nodes, for a source");
    check_range(target, targets, "SparseGraph", "the number of nodes, for a target");
    Edges edges(source.count());
    for (int64_t i = 0; i < source.count(); ++i) edges[i] = {target[i], source[i]};
    std::sort(edges.begin(), edges.end());
    const auto twice = std::adjacent_find(edges.begin(), edges.end());
    check(twice == edges.end(),
          "SparseGraph: the edge from {} to {} is given twice; it would count twice in every sum. "
          "both_directions adds the edges back by itself",
          twice == edges.end() ? 0 : twice->second, twice == edges.end() ? 0 : twice->first);
    return edges;
}

Indices sources_of(const Edges& edges) {
    std::vector<int> source;
    for (const auto& [t, s] : edges) source.push_back(s);
    return source;
}

Indices targets_of(const Edges& edges) {
    std::vector<int> target;
    for (const auto& [t, s] : edges) target.push_back(t);
    return target;
}

}  // namespace

SparseGraph::SparseGraph(Integer nodes, const Indices& source, const Indices& target,
                         const SparseGraphOptions& options)
    : sources_(nodes) {
    Edges edges = checked_edges(nodes, nodes, source, target);
    if (options.both_directions)
        for (int64_t i = 0; i < source.count(); ++i) edges.emplace_back(source[i], target[i]);
    if (options.self_loops)
        for (int64_t n = 0; n < nodes; ++n)
            edges.emplace_back(static_cast<int>(n), static_cast<int>(n));
    std::sort(edges.begin(), edges.end());
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    source_ = sources_of(edges);
    into_ = Segments(targets_of(edges), nodes);
}

SparseGraph::SparseGraph(Integer sources, Integer targets, const Indices& source,
                         const Indices& target)
    : sources_(sources) {
    const Edges edges = checked_edges(sources, targets, source, target);
    source_ = sources_of(edges);
    into_ = Segments(targets_of(edges), targets);
}

SparseGraph graph_of_mask(const Tensor& mask) {
    const Shapes in("graph_of_mask", {{"mask", mask, "?1 Q K"}}, {},
                    "for a batch, make a graph of each mask and join them by disjoint_union()");
    check_mask_numbers(mask, "graph_of_mask");
    const int64_t queries = in["Q"], keys = in["K"];
    const std::vector<double> allowed = mask.to_vector();
    std::vector<int> source, target;
    for (int64_t i = 0; i < queries * keys; ++i)
        if (allowed[i] != 0) {
            source.push_back(static_cast<int>(i % keys));
            target.push_back(static_cast<int>(i / keys));
        }
    return SparseGraph(keys, queries, source, target);
}

Tensor dense_mask(const SparseGraph& graph, Dtype dtype) {
    Tensor mask = zeros({graph.targets(), graph.sources()}, dtype);
    with_dtype(dtype, [&]<class T>(T) {
        T* allowed = mask.edit<T>();
        for (int64_t e = 0; e < graph.edges(); ++e)
            allowed[graph.target()[e] * graph.sources() + graph.source()[e]] = 1;
    });
    return mask;
}

void check_one_kind(const SparseGraph& graph, const char* operation) {
    check(graph.sources() == graph.targets(),
          "{}: a graph from {} sources to {} targets; expected edges between the same nodes",
          operation, graph.sources(), graph.targets());
}

Tensor connected(const Tensor& x, const SparseGraph& graph) {
    const Shapes in("connected", {{"x", x, "N ..."}}, {{"N", graph.targets()}}, nodes_of_graph);
    check_one_kind(graph, "connected");
    if (all_finite(x)) return x;
    std::vector<double> edges(x.size(0), 0.0);
    for (const Indices& ends : {graph.source(), graph.target()})
        for (int node : ends) edges[node] = 1;
    Shape column = x.shape();
    for (int axis = 1; axis < x.dim(); ++axis) column[axis] = 1;
    return where(tensor(edges, column, x.dtype()), x, 0.0);
}

SparseGraph disjoint_union(const std::vector<SparseGraph>& graphs) {
    int64_t sources = 0, targets = 0;
    std::vector<int> source, target;
    for (const SparseGraph& graph : graphs) {
        for (int64_t e = 0; e < graph.edges(); ++e) {
            source.push_back(static_cast<int>(sources + graph.source()[e]));
            target.push_back(static_cast<int>(targets + graph.target()[e]));
        }
        sources += graph.sources();
        targets += graph.targets();
    }
    return SparseGraph(sources, targets, source, target);
}

}  // namespace heed
