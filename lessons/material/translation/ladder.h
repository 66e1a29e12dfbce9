// The five translators that lessons {why_attention} and {transformer} compare, with about as many
// parameters each: from a fixed context to the Transformer. And the Transformer with one component
// changed.
//
//     const Translator model = build_translator(LadderModel::additive, text, {}, seed);
//     train_translator(model, text, {.steps = 500, .lr = rate_of(LadderModel::additive, false)});
#pragma once

#include <cstdint>
#include <string>

#include "attention/heads/multi_head.h"
#include "attention/transformer/transformer.h"
#include "lessons/material/translation/translation.h"
#include "nn/recurrent/recurrent.h"

namespace heed::course {

enum class LadderModel { fixed, additive, dot, multi_head, transformer };
inline constexpr LadderModel ladder[] = {LadderModel::fixed, LadderModel::additive,
                                         LadderModel::dot, LadderModel::multi_head,
                                         LadderModel::transformer};
const char* name_of(LadderModel kind);

// The size of the Transformer. The width of the other models is chosen so that they have about the
// same number of parameters.
struct TranslatorSize {
    std::int64_t width = 64;
    double dropout = 0;  // dropout probability, for all models
};

// A variant of the Transformer.
struct TransformerVariant {
    std::string name = "pre-norm";
    bool pre_norm = true, residual = true, warm_up = true;
};

// A recurrent encoder-decoder with multi-head attention: Luong's decoder (lesson {luong}) with the
// attention of lesson {heads} after each step.
struct RecurrentMultiHead {
    RecurrentEncoder encoder;
    Embedding embedding;
    Linear initial;
    Gru cell;
    MultiHead attention;
    Linear readout, output;
    Dropout dropout;  // as in EncoderDecoder

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
    Seq2SeqOutput operator()(const Indices& source, const Indices& lengths,
                             const Indices& target_in, Mode mode = {}) const;
    Decodable decodable(const Indices& source, const Indices& lengths) const;
    // What the output layer reads: states [B, T, H], context [B, T, D] -> [B, T, H].
    Tensor features(const Tensor& states, const Tensor& context) const;
};

Transformer make_transformer(const ParallelText& text, const TranslatorSize& size,
                             const TransformerVariant& variant, Rng& rng);
Translator translator_of(const Transformer& model);
Translator build_translator(LadderModel kind, const ParallelText& text, const TranslatorSize& size,
                            std::uint64_t seed);

// The learning rates that were tried with every model, and the best rate of a model, by the
// validation loss with a seed (99) for corpus and weights that the lesson does not use; --tune
// --seed 99 repeats the search. For real pairs (--data) they were chosen by --tune on pairs from
// Tatoeba.
inline constexpr double rates_tried[] = {0.002, 0.004, 0.008, 0.016, 0.032};
double rate_of(LadderModel kind, bool real_pairs);

int64_t parameters_of(const Translator& model);

}  // namespace heed::course
