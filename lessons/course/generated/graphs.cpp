#include "lessons/course/generated/graphs.h"

#include <algorithm>
#include <cstdint>
#include <numeric>

#include "autograd/base/error.h"

namespace heed::course {
namespace {

bool joined(const Graph& graph, int a, int b) {
    const std::vector<int>& of_a = graph.neighbours[a];
    return std::find(of_a.begin(), of_a.end(), b) != of_a.end();
}

void join(Graph& graph, int a, int b) {
    graph.neighbours[a].push_back(b);
    graph.neighbours[b].push_back(a);
}

}  // namespace

Graph random_graph(int places, int more_roads, Rng& rng) {
    const int room = places * (places - 1) / 2 - (places - 1);
    check(places >= 2 && more_roads >= 0 && more_roads <= room,
          "random_graph: {} places and {} roads more than a tree's; expected at least 2 places and "
          "at most {} roads more",
          places, more_roads, std::max(room, 0));
    std::vector<int> name(places);
    std::iota(name.begin(), name.end(), 0);
    rng.shuffle(name);

    Graph graph;
    graph.neighbours.resize(places);
    for (int i = 1; i < places; ++i) {
        const int reach = std::min(i, 3);
        join(graph, name[i], name[i - 1 - static_cast<int>(rng.below(reach))]);
    }
    while (more_roads > 0) {
        const int a = static_cast<int>(rng.below(places)), b = static_cast<int>(rng.below(places));
        if (a == b || joined(graph, a, b)) continue;
        join(graph, a, b);
        --more_roads;
    }
    return graph;
}

std::vector<int> distances(const Graph& graph, int from) {
    std::vector<int> hops(graph.places(), -1), reached{from};
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
    const int64_t count = static_cast<int64_t>(graphs.size()), n = graphs[0].places();
    std::vector<double> mask(count * n * n);
    for (int64_t b = 0; b < count; ++b) {
        check(graphs[b].places() == n, "neighbour_mask: a graph of {} places among graphs of {}",
              graphs[b].places(), n);
        for (int64_t i = 0; i < n; ++i) {
            mask[(b * n + i) * n + i] = 1;
            for (int j : graphs[b].neighbours[i]) mask[(b * n + i) * n + j] = 1;
        }
    }
    return tensor(mask, {count, n, n}, dtype);
}

}  // namespace heed::course
