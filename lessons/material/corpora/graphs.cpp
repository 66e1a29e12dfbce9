#include "lessons/material/corpora/graphs.h"

#include <algorithm>
#include <cstdint>
#include <numeric>

#include "autograd/base/error.h"

namespace heed::course {
namespace {

bool connected(const Graph& graph, int a, int b) {
    const std::vector<int>& of_a = graph.neighbours[a];
    return std::find(of_a.begin(), of_a.end(), b) != of_a.end();
}

void connect(Graph& graph, int a, int b) {
    graph.neighbours[a].push_back(b);
    graph.neighbours[b].push_back(a);
}

}  // namespace

Graph random_graph(int nodes, int added_edges, Rng& rng) {
    const int room = nodes * (nodes - 1) / 2 - (nodes - 1);
    check(nodes >= 2 && added_edges >= 0 && added_edges <= room,
          "random_graph: {} nodes and {} added edges; expected at least 2 nodes and at most {} "
          "added edges",
          nodes, added_edges, std::max(room, 0));
    std::vector<int> name(nodes);
    std::iota(name.begin(), name.end(), 0);
    rng.shuffle(name);

    Graph graph;
    graph.neighbours.resize(nodes);
    for (int i = 1; i < nodes; ++i) {
        const int reach = std::min(i, 3);
        connect(graph, name[i], name[i - 1 - static_cast<int>(rng.below(reach))]);
    }
    while (added_edges > 0) {
        const int a = static_cast<int>(rng.below(nodes)), b = static_cast<int>(rng.below(nodes));
        if (a == b || connected(graph, a, b)) continue;
        connect(graph, a, b);
        --added_edges;
    }
    return graph;
}

std::vector<int> distances(const Graph& graph, int from) {
    std::vector<int> hops(graph.size(), -1), reached{from};
    hops[from] = 0;
    for (std::size_t next = 0; next < reached.size(); ++next)
        for (int neighbour : graph.neighbours[reached[next]])
            if (hops[neighbour] < 0) {
                hops[neighbour] = hops[reached[next]] + 1;
                reached.push_back(neighbour);
            }
    return hops;
}

Tensor neighbour_mask(const std::vector<Graph>& graphs, Dtype dtype) {
    check(!graphs.empty(), "neighbour_mask: no graphs");
    const int64_t count = static_cast<int64_t>(graphs.size()), n = graphs[0].size();
    std::vector<double> mask(count * n * n);
    for (int64_t b = 0; b < count; ++b) {
        check(graphs[b].size() == n, "neighbour_mask: a graph of {} nodes among graphs of {} nodes",
              graphs[b].size(), n);
        for (int64_t i = 0; i < n; ++i) {
            mask[(b * n + i) * n + i] = 1;
            for (int j : graphs[b].neighbours[i]) mask[(b * n + i) * n + j] = 1;
        }
    }
    return tensor(mask, {count, n, n}, dtype);
}

}  // namespace heed::course
