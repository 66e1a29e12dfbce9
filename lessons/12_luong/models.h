// The translators of this lesson. They differ only in how the decoder attends to the source. Also
// their training, what is measured of each, and the window centres of local attention.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lessons/material/translation/translation.h"

namespace heed::lesson12 {

struct Variant {
    std::string name;
    ScoreKind score = ScoreKind::general;
    SpanKind span = SpanKind::global;
    bool feeding = false;
};

struct Budget {
    int steps = 0, hidden = 64, reach = 0;
    double lr = 0.01;
};

struct Trained {
    EncoderDecoder model;
    double exact = 0, alignment_error = 0, seconds = 0;  // on the test set; of training
};
// The seed determines the initial weights and the order of the batches.
Trained train(const Variant& variant, const Budget& budget, const course::ParallelText& text,
              std::uint64_t seed);

// One step of the decoder: its state, and the centre of its window, which local_p predicts from the
// state and which in local_m is the index of the word.
struct WindowStep {
    const course::SentencePair* pair = nullptr;
    int index = 0;          // of the word in the target
    std::vector<int> gold;  // indices of the source words it is aligned with; may be empty
    double centre = 0;
    Tensor state, annotations;  // [H], [K, C]

    int keys() const { return static_cast<int>(pair->source.size()); }
    // The distance from a source index to the nearest in `gold`.
    double distance_to_gold(double guess) const;
};
// All decoding steps on the test sentences, with teacher forcing. Throws for a model with global
// attention.
std::vector<WindowStep> window_steps(const EncoderDecoder& model, const course::TextSet& part);

// The weights [T, K] on one pair, with teacher forcing.
std::vector<double> weights_of(const EncoderDecoder& model, const course::TextSet& part,
                               int number);

// How much the weights at the third target word differ between sentences of the same length: the
// mean of half the sum of |a - b| over consecutive sentences of one length, between 0 and 1.
double difference_at_third_word(const EncoderDecoder& model, const course::TextSet& part);

}  // namespace heed::lesson12
