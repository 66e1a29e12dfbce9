#include "lessons/material/corpora/communities.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "autograd/base/error.h"
#include "autograd/tensor/create.h"

namespace heed::course {

namespace {

void check_options(const CommunityOptions& o) {
    const auto is_share = [](double share) { return share >= 0 && share <= 1; };
    check(
        o.communities > 1 && o.size > 1 && o.words_each > 0 && o.words > 0 && o.degree >= 0 &&
            o.train_each > 0 && o.train_each < o.size,
        "community_graph: {} communities of {} papers, {} words each, {} words a paper, degree {}, "
        "{} papers known; all must be positive, with two communities at least, and not all papers "
        "known",
        o.communities, o.size, o.words_each, o.words, o.degree, o.train_each);
    check(is_share(o.telling) && is_share(o.noise),
          "community_graph: shares of telling words {} and of noise {}; expected numbers in [0, 1]",
          o.telling, o.noise);
    // Half of all pairs within topics: drawing evenly then still ends soon.
    const double n = o.communities * o.size, edges = o.degree * n / 2;
    check(edges * (1 - o.noise) <= o.communities * o.size * (o.size - 1) / 4.0 &&
              edges * o.noise <= n * (n - o.size) / 4,
          "community_graph: a mean degree of {} is too much for {} communities of {} papers",
          o.degree, o.communities, o.size);
}

Tensor words_of(const CommunityOptions& o, const std::vector<int>& labels, Rng& rng) {
    const int all = o.communities * o.words_each;
    std::vector<double> table(labels.size() * all, 0);
    for (std::size_t paper = 0; paper < labels.size(); ++paper)
        for (int i = 0; i < o.words; ++i) {
            const int64_t word = rng.chance(o.telling)
                                     ? labels[paper] * o.words_each + rng.below(o.words_each)
                                     : rng.below(all);
            table[paper * all + word] += 1.0 / o.words;
        }
    return tensor(table, {static_cast<int64_t>(labels.size()), all});
}

}  // namespace

CommunityGraph community_graph(const CommunityOptions& o, Rng& rng) {
    check_options(o);
    CommunityGraph graph;
    const int nodes = o.communities * o.size;
    for (int i = 0; i < nodes; ++i) graph.labels.push_back(i % o.communities);
    rng.shuffle(graph.labels);
    graph.features = words_of(o, graph.labels, rng);

    // How many edges of each kind are still to be drawn: within a topic, and noise.
    const auto count = static_cast<int>(std::lround(o.degree * nodes / 2));
    int noise = static_cast<int>(std::lround(o.noise * count)), within = count - noise;
    std::set<std::pair<int, int>> drawn;
    while (noise > 0 || within > 0) {
        const auto [u, v] =
            std::minmax({static_cast<int>(rng.below(nodes)), static_cast<int>(rng.below(nodes))});
        int& left = graph.is_noise(u, v) ? noise : within;
        if (u == v || left == 0 || !drawn.insert({u, v}).second) continue;
        --left;
    }
    graph.edges.assign(drawn.begin(), drawn.end());

    std::vector<int> order(nodes), known(o.communities, 0);
    std::iota(order.begin(), order.end(), 0);
    rng.shuffle(order);
    for (int paper : order) {
        int& drawn_of_topic = known[graph.labels[paper]];
        (drawn_of_topic++ < o.train_each ? graph.train : graph.test).push_back(paper);
    }
    return graph;
}

SparseGraph edges_of(const CommunityGraph& graph) {
    std::vector<int> source, target;
    for (const auto& [u, v] : graph.edges) source.push_back(u), target.push_back(v);
    return SparseGraph(graph.nodes(), source, target,
                       {.both_directions = true, .self_loops = true});
}

}  // namespace heed::course
