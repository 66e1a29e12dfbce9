// The rungs of the ladder: five translators, from one vector for a sentence to attention and
// nothing else, and the Transformer with one part changed at a time.
#pragma once

#include <cstdint>
#include <string>

#include "attention/heads/multi_head.h"
#include "attention/transformer/transformer.h"
#include "lessons/course/translation/translation.h"
#include "nn/recurrent/recurrent.h"

namespace heed::lesson19 {

enum class Rung { fixed, additive, dot, multi_head, transformer };
inline constexpr Rung rungs[] = {Rung::fixed, Rung::additive, Rung::dot, Rung::multi_head,
                                 Rung::transformer};
const char* name_of(Rung rung);

// How large the Transformer is. The others are made as wide as gives them about as many parameters.
struct Size {
    std::int64_t width = 64;
    double dropout = 0;  // the share of features dropped in training, by all of them
};

// What is changed about the Transformer.
struct Change {
    std::string name = "pre-norm";
    bool pre_norm = true, residual = true, warm_up = true;
};

// A recurrent encoder-decoder whose decoder reads the source by multi-head attention after each
// step: Luong's decoder (lesson 10) with the attention of lesson 17.
struct RecurrentMultiHead {
    RecurrentEncoder encoder;
    Embedding embedding;
    Linear initial;
    Gru cell;
    MultiHead attention;
    Linear readout, output;
    Dropout dropout;  // where EncoderDecoder has it

    RecurrentMultiHead() = default;
    RecurrentMultiHead(const EncoderDecoderOptions& sizes, int64_t heads, Rng& rng);
    template <class F>
    void visit(F&& f) {
        f("encoder", encoder);
        f("embedding", embedding);
        f("initial", initial);
        f("cell", cell);
        f("attention", attention);
        f("readout", readout);
        f("output", output);
    }
    Seq2SeqOutput operator()(const Indices& source, const Indices& lengths, const Indices& target_in,
                           Mode mode = {}) const;
    Decodable decodable(const Indices& source, const Indices& lengths) const;
    // What the output layer reads: states [B, T, H], context [B, T, D] -> [B, T, H].
    Tensor features(const Tensor& states, const Tensor& context) const;
};

Transformer make_transformer(const course::ParallelText& text, const Size& size,
                             const Change& change, Rng& rng);
course::Translator translator_of(const Transformer& model);
course::Translator build(Rung rung, const course::ParallelText& text, const Size& size,
                         std::uint64_t seed);

// The learning rates that were tried, each with every rung, and what came out best by the
// validation loss of a corpus and of models with a seed (99) that the lesson does not use:
// --tune --seed 99 does it again. On real pairs (--data) they are what --tune chose on Tatoeba's.
inline constexpr double rates_tried[] = {0.002, 0.004, 0.008, 0.016, 0.032};
double rate_of(Rung rung, bool real_pairs);

int64_t parameters_of(const course::Translator& model);

}  // namespace heed::lesson19
