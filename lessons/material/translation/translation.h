// What the lessons on translation share: training a model on parallel text (parallel_text.h) and
// evaluating it. It works with any model that can be called with source and target and that can be
// decoded.
//
//     const ParallelText text = from_corpus(korean_english(seed));
//     EncoderDecoder model(...);
//     train_translator(translator(model), text, {.steps = 3000}, on_step);
//     const Evaluation result = evaluate(translator(model), text, text.test);
//     result.exact()                // the share of translations equal to the reference
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "attention/recurrent/encoder_decoder.h"
#include "lessons/material/translation/parallel_text.h"
#include "nn/data/batches.h"
#include "nn/data/metrics.h"
#include "nn/train/train.h"

namespace heed::course {

// A model as these functions use it.
struct Translator {
    // Teacher forcing: source, target without its last token -> logits [B, T, V], weights [B, T, K]
    // (or none).
    std::function<Seq2SeqOutput(const PaddedBatch&, const Indices& target_in, Mode)> forward;
    std::function<Decodable(const PaddedBatch&)> decodable;
    std::vector<Parameter> parameters;
};
Translator translator(const EncoderDecoder& model);

// Some pairs of a set as a batch for teacher forcing: target_in starts with bos, target_out ends with
// eos.
struct TranslationBatch {
    PaddedBatch source;
    Indices target_in, target_out;
    std::int64_t tokens = 0;  // of the target
};
TranslationBatch translation_batch(const TextSet& set, const std::vector<int>& indices);

struct TrainingBudget {
    std::int64_t steps = 0;  // or
    int epochs = 0;
    int batch_size = 64;
    double lr = 2e-3;       // of Adam: linear warm-up, then a cosine decay to a tenth of it
    double warm_up = 0.05;  // the share of warm-up steps
    double clip_norm = 1;
    std::uint64_t seed = 1;  // of batches and dropout
};

// Trains with teacher forcing and cross-entropy. Returns the loss of every step.
TrainReport train_translator(const Translator& model, const ParallelText& text,
                             const TrainingBudget& budget,
                             const std::function<void(const heed::TrainProgress&)>& on_step = {});

// The mean loss per token, in nats, on a set.
double loss_of(const Translator& model, const TextSet& set);

struct Evaluation {
    std::vector<std::vector<std::string>> outputs;  // one for each pair
    std::vector<bool> right;                        // equal to the reference
    metrics::Bleu bleu;

    double exact() const;
    // The share of exact translations for each band of source length (corpus.h); NaN for an empty
    // band.
    std::vector<double> exact_by_length(const TextSet& set) const;
};

// Translates a set: greedily (beam 1) or by beam search with length penalty 0.6.
Evaluation evaluate(const Translator& model, const ParallelText& text, const TextSet& set,
                    int beam = 1);

// One sentence translated greedily, with the attention weights of each output word.
struct Shown {
    std::vector<std::string> source, output;  // the output includes its end token
    std::vector<double> weights{};            // [output, source]; empty without attention
    std::vector<int> source_ids{}, output_ids{};
};
Shown show_translation(const Translator& model, const ParallelText& text,
                       const std::vector<std::string>& source);

// The scores [output, source] before the softmax, while the model decodes this output.
std::vector<double> scores_of(const EncoderDecoder& model, const std::vector<int>& source,
                              const std::vector<int>& output);

// The alignment error rate of attention: each word of the reference (teacher forcing) is linked to
// the source word with the largest weight, and the links are compared with the true alignment.
AlignmentError align(const Translator& model, const TextSet& set);

// The mean over all words of the references of the attention weight on the source words that the
// true alignment links with the word (teacher forcing). Words without a link are left out.
double weight_on_aligned(const Translator& model, const TextSet& set);

}  // namespace heed::course
