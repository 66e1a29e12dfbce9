// The model of lesson {positions}: two layers of self-attention with four heads, one of six kinds
// of positions, and an output at every position.
#pragma once

#include <functional>
#include <vector>

#include "attention/heads/self_attention.h"
#include "lessons/20_positions/data.h"
#include "lessons/course/figures/figures.h"
#include "nn/nn.h"

namespace heed::lesson20 {

inline constexpr int trained_length = 16, longest = 128;

struct PositionModel {
    Embedding embedding;
    AbsolutePositions positions;
    std::vector<SelfAttention> layers;
    Linear output;
    bool causal = true;

    PositionModel(PositionKind kind, bool is_causal, Rng& rng);
    template <class F>
    void visit(F&& f) {
        f("embedding", embedding), f("positions", positions), f("layers", layers);
        f("output", output);
    }
    Tensor operator()(const Indices& token) const;  // [B, T] -> logits [B, T, tokens]
};

// Trains on batches from `draw`, a new one in each step.
void train_model(PositionModel& model, int steps, Rng rng,
                 const std::function<Sequences(Rng&)>& draw);

// The accuracy at each position of the sequences: [T], NaN where no position has an answer.
std::vector<double> accuracy_by_position(const PositionModel& model, const Sequences& sequences);

// The ranges of positions over which accuracy is averaged: within the training length, and up to
// twice, four times and eight times this length.
struct Range {
    int from, to;  // `to` is not included
    const char* name;
};
inline constexpr Range ranges[]{
    {2, 16, "within"}, {16, 32, "to 2x"}, {32, 64, "to 4x"}, {64, 128, "to 8x"}};
double mean_over(const std::vector<double>& by_position, const Range& range);

// Trains models with several seeds (seed, seed + 1, ...) on sequences of trained_length. Returns
// the accuracy at each of `longest` positions, [seeds][longest].
std::vector<std::vector<double>> accuracies_by_seed(PositionKind kind, Task task, int steps,
                                                    int seeds, uint64_t seed);
// The same as a curve over positions, averaged over neighbouring positions, with its spread over
// seeds.
course::Series line_of(const std::string& name, const std::vector<std::vector<double>>& runs);

// The scores [T, T] of an untrained attention layer with one head, in float64, for a sequence of T
// = 32 equal tokens.
Tensor scores_of(PositionKind kind, Rng& rng);

}  // namespace heed::lesson20
