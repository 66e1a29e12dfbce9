// A graph with known communities and known noise: papers of a few topics, the words in them, and who
// cites whom. Most citations stay within a topic, the others are noise; which are noise is known, so
// attention weights can be held against it.
//
//     CommunityGraph graph = community_graph({.communities = 4, .size = 40}, rng);
//     SparseGraph edges = edges_of(graph);    // both directions, and self-loops
//
// Each paper has `words` words. With probability `telling` a word is one of its topic's own words,
// otherwise any word. Edges are drawn evenly until there are `degree` N / 2 of them, the share `noise`
// between different topics and the others within one; no edge is drawn twice. The training set has
// `train_each` papers of each topic, the test set all others. There is no validation set: a user who
// chooses anything by accuracy has to take one from the training set.
#pragma once

#include <utility>
#include <vector>

#include "attention/graph/sparse_graph.h"
#include "autograd/base/rng.h"

namespace heed::course {

struct CommunityOptions {
    int communities = 4, size = 40;  // topics, and papers of each: N = communities * size
    int words_each = 12;             // words that belong to a topic
    int words = 8;                   // words of a paper
    double telling = 0.3;            // the share of them that are their topic's own
    double degree = 6;               // the mean number of edges of a paper
    double noise = 0.3;              // the share of edges between different topics
    int train_each = 5;              // papers of each topic whose topic is known
};

struct CommunityGraph {
    std::vector<int> labels;  // the topic of each paper
    Tensor features;          // [N, words of all topics]: how often each word occurs,
                              // each row divided by its sum
    std::vector<std::pair<int, int>> edges;  // (u, v) with u < v
    std::vector<int> train, test;            // papers

    int nodes() const { return static_cast<int>(labels.size()); }
    // Whether an edge between these papers would be noise.
    bool is_noise(int u, int v) const { return labels[u] != labels[v]; }
};

// Throws heed::Error when the sizes are not positive, the shares not in [0, 1], or there are more edges
// than pairs of papers.
CommunityGraph community_graph(const CommunityOptions& options, Rng& rng);

SparseGraph edges_of(const CommunityGraph& graph);

}  // namespace heed::course
