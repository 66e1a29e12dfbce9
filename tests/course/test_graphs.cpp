// Graphs: connected, undirected, of the size asked for; distances compared with another algorithm.
#include <algorithm>
#include <set>

#include "autograd/base/error.h"
#include "lessons/material/corpora/graphs.h"
#include "tests/catch.h"

using namespace heed;
using namespace heed::course;
using Catch::Matchers::ContainsSubstring;

namespace {

// Shortest paths between all pairs by trying every node in between (Floyd and Warshall).
std::vector<std::vector<int>> all_distances(const Graph& graph) {
    const int n = graph.size();
    std::vector<std::vector<int>> hops(n, std::vector<int>(n, 1000));
    for (int i = 0; i < n; ++i) {
        hops[i][i] = 0;
        for (int j : graph.neighbours[i]) hops[i][j] = 1;
    }
    for (int via = 0; via < n; ++via)
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j)
                hops[i][j] = std::min(hops[i][j], hops[i][via] + hops[via][j]);
    return hops;
}

}  // namespace

TEST_CASE("graphs: connected and undirected, no double edges, as many edges as asked for",
          "[data][lesson]") {
    Rng rng(1);
    int longest = 0;
    for (int run = 0; run < 200; ++run) {
        const Graph graph = random_graph(16, run % 4, rng);
        REQUIRE(graph.size() == 16);
        std::size_t ends = 0;
        for (int i = 0; i < 16; ++i) {
            const std::set<int> once(graph.neighbours[i].begin(), graph.neighbours[i].end());
            CHECK(once.size() == graph.neighbours[i].size());
            CHECK(once.count(i) == 0);
            for (int j : once) CHECK(std::ranges::count(graph.neighbours[j], i) == 1);
            ends += once.size();
        }
        CHECK(ends == 2 * (15 + static_cast<std::size_t>(run % 4)));

        const auto expected = all_distances(graph);
        for (int i = 0; i < 16; ++i) CHECK(distances(graph, i) == expected[i]);
        for (int hops : distances(graph, 0)) {
            CHECK((hops >= 0 && hops < 16));  // connected
            longest = std::max(longest, hops);
        }
    }
    CHECK(longest >= 6);  // long and not wide
}

TEST_CASE("graphs: the mask allows each node itself and its neighbours", "[data][lesson]") {
    Rng rng(2);
    const std::vector<Graph> graphs{random_graph(6, 1, rng), random_graph(6, 3, rng)};
    const Tensor mask = neighbour_mask(graphs);
    REQUIRE(mask.shape() == Shape{2, 6, 6});
    for (int b : {0, 1})
        for (int i = 0; i < 6; ++i) {
            const std::vector<int> hops = distances(graphs[b], i);
            for (int j = 0; j < 6; ++j) CHECK(mask.at({b, i, j}) == (hops[j] <= 1 ? 1 : 0));
        }
}

TEST_CASE("graphs: impossible sizes are refused", "[data][errors]") {
    Rng rng(3);
    CHECK(random_graph(4, 3, rng).size() == 4);  // all possible edges
    CHECK_THROWS_WITH(random_graph(4, 4, rng), ContainsSubstring("at most 3 added edges"));
    CHECK_THROWS_WITH(random_graph(1, 0, rng), ContainsSubstring("at least 2 nodes"));
    CHECK_THROWS_WITH(neighbour_mask({random_graph(4, 0, rng), random_graph(5, 0, rng)}),
                      ContainsSubstring("a graph of 5 nodes among graphs of 4"));
}
