// Graphs with known communities and noise: what the options ask for is what is drawn.
#include <algorithm>
#include <set>

#include "autograd/autograd.h"
#include "lessons/material/corpora/communities.h"
#include "tests/catch.h"

using namespace heed;
using namespace heed::course;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("a graph of communities has the papers, edges and noise asked for", "[data]") {
    const CommunityOptions options{
        .communities = 3, .size = 20, .degree = 5, .noise = 0.4, .train_each = 4};
    Rng rng(1), same(1), other(2);
    const CommunityGraph graph = community_graph(options, rng);
    REQUIRE(graph.nodes() == 60);
    for (int topic = 0; topic < 3; ++topic)
        CHECK(std::count(graph.labels.begin(), graph.labels.end(), topic) == 20);

    // 150 edges, 60 of them noise; each once, the smaller paper first.
    REQUIRE(graph.edges.size() == 150);
    int noise = 0;
    for (const auto& [u, v] : graph.edges) {
        REQUIRE(u < v);
        noise += graph.is_noise(u, v);
    }
    CHECK(noise == 60);
    CHECK(std::set(graph.edges.begin(), graph.edges.end()).size() == 150);

    // Both directions and a self-loop for each paper.
    const SparseGraph edges = edges_of(graph);
    CHECK(edges.edges() == 2 * 150 + 60);
    const Tensor mask = dense_mask(edges);
    CHECK(max(abs(mask - transpose(mask))).item() == 0);

    // The two sets share no paper, and have as many of each topic as asked for.
    std::set<int> all;
    for (const auto* set : {&graph.train, &graph.test}) all.insert(set->begin(), set->end());
    CHECK(all.size() == 60);
    CHECK(graph.train.size() == 12);
    CHECK(graph.test.size() == 48);
    for (int topic = 0; topic < 3; ++topic)
        CHECK(std::count_if(graph.train.begin(), graph.train.end(),
                            [&](int paper) { return graph.labels[paper] == topic; }) == 4);

    CHECK(community_graph(options, same).edges == graph.edges);
    CHECK_FALSE(community_graph(options, other).edges == graph.edges);
}

TEST_CASE("words of a paper tell its topic as often as asked for", "[data]") {
    const CommunityOptions options{
        .communities = 4, .size = 500, .words_each = 5, .words = 8, .telling = 0.3};
    Rng rng(3);
    const CommunityGraph graph = community_graph(options, rng);
    REQUIRE(graph.features.shape() == Shape{2000, 20});
    CHECK(max(abs(sum(graph.features, 1) - 1.0)).item() < 1e-6);
    double own = 0;
    for (int paper = 0; paper < 2000; ++paper)
        for (int word = 0; word < 5; ++word)
            own += graph.features.at({paper, graph.labels[paper] * 5 + word}) / 2000;
    // Its own words, and a quarter of all others.
    CHECK(own == Approx(0.3 + 0.7 / 4).margin(0.02));
}

TEST_CASE("communities that cannot be are refused", "[data][errors]") {
    Rng rng(1);
    CHECK_THROWS_WITH(community_graph({.communities = 1}, rng),
                      ContainsSubstring("two communities"));
    CHECK_THROWS_WITH(community_graph({.noise = 1.5}, rng), ContainsSubstring("of noise 1.5"));
    CHECK_THROWS_WITH(community_graph({.size = 10, .degree = 30, .train_each = 2}, rng),
                      ContainsSubstring("a mean degree of 30 is too much"));
    CHECK_THROWS_WITH(community_graph({.size = 10, .train_each = 10}, rng),
                      ContainsSubstring("not all papers known"));
}
