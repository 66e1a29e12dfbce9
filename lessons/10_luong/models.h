// The translators of this lesson: all alike but for how the decoder looks at the source. Their
// training, what is measured of each, and where local_p looks.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lessons/course/translation/translation.h"

namespace heed::lesson10 {

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
    double exact = 0, alignment_error = 0, seconds = 0;  // on the test part; of training
};
// From beginning number `seed`, which also orders the batches.
Trained train(const Variant& variant, const Budget& budget, const course::ParallelText& text,
              std::uint64_t seed);

// The decoder's state s [H] at every word it writes, and the centre of its window: predicted from
// the state by local_p, the word's own place in local_m.
struct Look {
    const course::SentencePair* pair = nullptr;
    int place = 0;          // of the word in the target
    std::vector<int> gold;  // its source words, by the sure links; may be none
    double centre = 0;
    Tensor state, annotations;  // [H], [K, C]

    int keys() const { return static_cast<int>(pair->source.size()); }
    // The distance from a place to the nearest of the true ones.
    double off(double guess) const;
};
// While the model reads the reference. Throws for a model without a window.
std::vector<Look> looks_of(const EncoderDecoder& model, const course::TextSet& part);

// The weights [T, K] on one pair, while the model reads the reference.
std::vector<double> weights_of(const EncoderDecoder& model, const course::TextSet& part,
                               int number);

// How much the weights differ at the third word written, between sentences of the same length: the
// mean of half the sum of |a - b| over neighbours of one length, 0 to 1.
double difference_at_one_place(const EncoderDecoder& model, const course::TextSet& part);

}  // namespace heed::lesson10
