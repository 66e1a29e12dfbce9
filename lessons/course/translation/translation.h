// What the lessons that translate share: parallel text made ready, a model trained on it, and the
// measures of how well it does. Any model that reads a source and offers a Decodable will do.
//
//     const ParallelText text = from_corpus(korean_english(seed));
//     EncoderDecoder model(...);
//     train_translator(translator(model), text, {.steps = 3000}, on_step);
//     const Evaluation result = evaluate(translator(model), text, text.test);
//     result.exact()                // share of sentences translated word for word
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "attention/recurrent/encoder_decoder.h"
#include "lessons/course/translation/parallel_text.h"
#include "nn/data/batches.h"
#include "nn/data/metrics.h"
#include "nn/train/train.h"

namespace heed::course {

// A model seen as a translator.
struct Translator {
    // source, its lengths, target without its end -> logits [B, T, V], weights [B, T, K] (or none)
    std::function<Seq2SeqOutput(const PaddedBatch&, const Indices& target_in, Mode)> read;
    std::function<Decodable(const PaddedBatch&)> write;
    std::vector<Parameter> parameters;
};
Translator translator(const EncoderDecoder& model);

struct TrainingBudget {
    std::int64_t steps = 0;  // or
    int epochs = 0;
    int batch_size = 64;
    double lr = 2e-3;       // Adam's; a linear warm-up, then down a cosine to a tenth
    double warm_up = 0.05;  // the share of the steps in which the rate rises
    double clip_norm = 1;
    std::uint64_t seed = 1;  // of batches and dropout
};

// Trains by teacher forcing on cross-entropy. Returns the loss of every step.
TrainReport train_translator(const Translator& model, const ParallelText& text,
                             const TrainingBudget& budget,
                             const std::function<void(const heed::TrainProgress&)>& on_step = {});

// The mean loss a token, in nats, of a part.
double loss_of(const Translator& model, const TextPart& part);

struct Evaluation {
    std::vector<std::vector<std::string>> outputs;  // one for each pair of the part
    std::vector<bool> right;                        // equal to the reference, word for word
    metrics::Bleu bleu;

    double exact() const;
    // The share of exact translations by the length of the source, for the bands of corpus.h; not a
    // number where a band is empty.
    std::vector<double> exact_by_length(const TextPart& part) const;
};

// Translates a part: greedily (beam 1) or with a beam, ranked with length penalty 0.6.
Evaluation evaluate(const Translator& model, const ParallelText& text, const TextPart& part,
                    int beam = 1);

// One sentence, greedily: its words and where the model looked for each of them.
struct Shown {
    std::vector<std::string> source, output;  // the output with its end
    std::vector<double> weights{};            // [output, source]; empty without attention
    std::vector<int> source_ids{}, output_ids{};
};
Shown show_translation(const Translator& model, const ParallelText& text,
                       const std::vector<std::string>& source);

// The scores [output, source] that the weights are made of while the model writes this output.
std::vector<double> scores_of(const EncoderDecoder& model, const std::vector<int>& source,
                              const std::vector<int>& output);

// The source word that each word of the reference looks at most, held against the gold alignment
// (argmax links while the model reads the true target).
AlignmentError align(const Translator& model, const TextPart& part);

}  // namespace heed::course
