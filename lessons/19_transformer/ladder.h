// The rungs of the ladder: five translators, from one vector for a sentence to attention and
// nothing else, and the Transformer with one part changed at a time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "attention/multi_head.h"
#include "attention/transformer.h"
#include "lessons/course/translation.h"
#include "nn/recurrent.h"

namespace heed::lesson19 {

enum class Rung { fixed, additive, dot, multi_head, transformer };
inline constexpr Rung rungs[] = {Rung::fixed, Rung::additive, Rung::dot, Rung::multi_head,
                                 Rung::transformer};
const char* name_of(Rung rung);

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
    Translation operator()(const Indices& source, const Indices& lengths,
                           const Indices& target_in) const;
    Decodable decodable(const Indices& source, const Indices& lengths) const;

  private:
    Tensor features(const Tensor& states, const Tensor& context) const;
};

// Sizes chosen so that all five have about the same number of parameters.
Transformer make_transformer(const course::ParallelText& text, const Change& change, Rng& rng);
course::Translator translator_of(const Transformer& model);
course::Translator build(Rung rung, const course::ParallelText& text, std::uint64_t seed);

// The learning rate of each, the best of 0.002, 0.004, 0.008 and 0.016 by the validation loss of a
// corpus and a model with a seed (99) that the lesson does not use.
double rate_of(Rung rung);

int64_t parameters_of(const course::Translator& model);

}  // namespace heed::lesson19
