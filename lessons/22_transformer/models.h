// The five translators that this lesson compares, from a fixed context to the Transformer, and the
// Transformer with one component changed.
#pragma once

#include <cstdint>
#include <string>

#include "attention/heads/multi_head.h"
#include "attention/transformer/transformer.h"
#include "lessons/course/translation/translation.h"
#include "nn/recurrent/recurrent.h"

namespace heed::lesson22 {

enum class ModelKind { fixed, additive, dot, multi_head, transformer };
inline constexpr ModelKind model_kinds[] = {ModelKind::fixed, ModelKind::additive, ModelKind::dot,
                                            ModelKind::multi_head, ModelKind::transformer};
const char* name_of(ModelKind kind);

// The size of the Transformer. The width of the other models is chosen so that they have about the
// same number of parameters.
struct Size {
    std::int64_t width = 64;
    double dropout = 0;  // dropout probability, for all models
};

// A variant of the Transformer.
struct Variant {
    std::string name = "pre-norm";
    bool pre_norm = true, residual = true, warm_up = true;
};

// A recurrent encoder-decoder with multi-head attention: Luong's decoder (lesson 12) with the
// attention of lesson 19 after each step.
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

Transformer make_transformer(const course::ParallelText& text, const Size& size,
                             const Variant& variant, Rng& rng);
course::Translator translator_of(const Transformer& model);
course::Translator build(ModelKind kind, const course::ParallelText& text, const Size& size,
                         std::uint64_t seed);

// The learning rates that were tried with every model, and the best rate of a model, by the
// validation loss with a seed (99) for corpus and weights that the lesson does not use; --tune
// --seed 99 repeats the search. For real pairs (--data) they were chosen by --tune on pairs from
// Tatoeba.
inline constexpr double rates_tried[] = {0.002, 0.004, 0.008, 0.016, 0.032};
double rate_of(ModelKind kind, bool real_pairs);

int64_t parameters_of(const course::Translator& model);

}  // namespace heed::lesson22
