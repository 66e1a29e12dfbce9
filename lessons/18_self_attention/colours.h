// A task on graphs: one node is given a colour, and every node has to answer with this colour.
#pragma once

#include <vector>

#include "lessons/18_self_attention/layers.h"
#include "lessons/material/corpora/graphs.h"
#include "nn/nn.h"

namespace heed::lesson18 {

inline constexpr int nodes = 16, colours = 8;

struct ColourData {
    Tensor tokens;          // [B, 16, 9]: 1 and the colour, one-hot, at the source node; else zeros
    Tensor mask;            // [B, 16, 16]: neighbours
    Indices colour;         // [B, 16]: the same at all nodes of a graph
    std::vector<int> hops;  // [B, 16]: distance from the source node
};
ColourData draw_colours(int64_t count, Rng& rng);

struct GraphModel {
    Linear input;
    SelfAttentionLayers layers;
    Readout output;

    GraphModel(int layers, ReadoutKind readout, Rng& rng);
    template <class F>
    void visit(F&& f) {
        f("input", input), f("layers", layers), f("output", output);
    }
    Tensor operator()(const Tensor& tokens, const Tensor& mask) const;  // [B, 16, colours]
};

// Trains on 32 new random graphs in each step. Returns the accuracy on new graphs by the distance
// from the source node, 0 to most_hops hops.
std::vector<double> train_colours(GraphModel& model, int steps, int most_hops, int64_t test_graphs,
                                  Rng rng);

// For all pairs of nodes: the gradient of the output of one node with respect to the input of the
// other should be nonzero if they are at most `layers` hops apart, and zero otherwise. Returns the
// number of pairs for which it is not so.
int count_wrong_gradients(int layers, const course::Graph& graph, Rng& rng);

}  // namespace heed::lesson18
