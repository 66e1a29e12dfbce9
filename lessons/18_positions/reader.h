// The model of lesson 18: two rounds of self-attention of four heads, told about positions in one
// of six ways, and an answer at every place.
#pragma once

#include <functional>
#include <vector>

#include "attention/heads/self_attention.h"
#include "lessons/18_positions/order.h"
#include "lessons/course/figures/figures.h"
#include "nn/nn.h"

namespace heed::lesson18 {

inline constexpr int trained_length = 16, longest = 128;

struct Reader {
    Embedding embedding;
    AbsolutePositions positions;
    std::vector<SelfAttention> rounds;
    Linear output;
    bool causal = true;

    Reader(PositionKind kind, bool is_causal, Rng& rng);
    template <class F>
    void visit(F&& f) {
        f("embedding", embedding), f("positions", positions), f("rounds", rounds);
        f("output", output);
    }
    Tensor operator()(const Indices& token) const;  // [B, T] -> logits [B, T, tokens]
};

// Trains on what `draw` gives, a batch of 32 a step.
void learn(Reader& reader, int steps, Rng rng, const std::function<Sequences(Rng&)>& draw);

// The share of right answers at each place of the sequences: [T], NaN where there are none.
std::vector<double> accuracy_by_place(const Reader& reader, const Sequences& sequences);

// The stretches of places that accuracy is averaged over: inside the trained length, and beyond to
// twice, four times and eight times of it.
struct Stretch {
    int from, to;  // the last not included
    const char* name;
};
inline constexpr Stretch stretches[]{
    {2, 16, "inside"}, {16, 32, "to 2x"}, {32, 64, "to 4x"}, {64, 128, "to 8x"}};
double mean_over(const std::vector<double>& by_place, const Stretch& stretch);

// For readers from several seeds (seed, seed + 1, ...), trained on sequences of trained_length: the
// accuracy at each of `longest` places, [seeds][longest].
std::vector<std::vector<double>> study(PositionKind kind, Task task, int steps, int seeds,
                                       uint64_t seed);
// The same as a line over the places, averaged over neighbouring ones, with its spread over seeds.
course::Series line_of(const std::string& name, const std::vector<std::vector<double>>& runs);

// The scores [T, T] of an untrained attention of one head, in float64, when one and the same token
// stands at each of T = 32 places.
Tensor scores_of(PositionKind kind, Rng& rng);

}  // namespace heed::lesson18
