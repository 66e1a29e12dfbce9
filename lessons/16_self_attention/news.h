// News on a graph: one place knows a colour, and all places are asked for it.
#pragma once

#include <vector>

#include "lessons/16_self_attention/rounds.h"
#include "lessons/course/generated/graphs.h"
#include "nn/nn.h"

namespace heed::lesson16 {

// ------------------------------

inline constexpr int places = 16, colours = 8;

struct News {
    Tensor tokens;          // [B, 16, 9]: has the news, and its colour; zeros at all other places
    Tensor mask;            // [B, 16, 16]: neighbours
    Indices colour;         // [B, 16]: the same at all places of a graph
    std::vector<int> hops;  // [B, 16]: from the news
};
News draw_news(int64_t count, Rng& rng);

struct Town {
    Linear input, output;
    Rounds rounds;

    Town(int rounds, Rng& rng);
    template <class F>
    void visit(F&& f) {
        f("input", input), f("rounds", rounds), f("output", output);
    }
    Tensor operator()(const Tensor& tokens, const Tensor& mask) const;  // [B, 16, colours]
};

// Trains on fresh graphs, 32 a step; returns the accuracy by hops from the news, 0 to most_hops, on
// fresh ones.
std::vector<double> learn_news(Town& town, int steps, int most_hops, int64_t test_graphs, Rng rng);

// For all pairs of places: how often the gradient of what one says after the rounds, with respect
// to what the other knew before them, is zero within reach or not zero beyond.
int wrongly_reached(int rounds, const course::Graph& graph, Rng& rng);

}  // namespace heed::lesson16
