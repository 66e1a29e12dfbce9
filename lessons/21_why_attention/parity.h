// A task that a recurrent network finds easy: is the number of ones so far odd?
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "attention/transformer/stacks.h"
#include "nn/nn.h"

namespace heed::lesson21 {

struct Bits {
    Indices bit, odd;  // [B, T]; odd: 1 where the number of ones up to here is odd
};
Bits random_bits(int64_t batch, int64_t length, Rng& rng);

// Reads bits and answers after each of them. Either a GRU, or a causal Transformer with positions
// of some kind; about 7,000 or 26,000 parameters.
struct ParityModel {
    Embedding embedding;
    Gru gru;
    TransformerEncoder transformer;
    Linear output;
    bool recurrent = true;

    explicit ParityModel(std::optional<PositionKind> positions, Rng& rng);  // without: a GRU
    template <class F>
    void visit(F&& f) {
        f("embedding", embedding);
        if (recurrent)
            f("gru", gru);
        else
            f("transformer", transformer);
        f("output", output);
    }
    Tensor operator()(const Indices& bits) const;  // [B, T] -> logits [B, T, 2]
};

inline constexpr int longest_trained = 20;

// Trains on sequences of 2 to `longest_trained` bits, new ones in every step.
void train_parity(ParityModel& model, int steps, Rng rng);
// The share of right answers after the last bit of sequences of this length.
double accuracy_at(const ParityModel& model, int64_t length, Rng& rng);

}  // namespace heed::lesson21
