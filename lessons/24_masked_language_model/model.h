// The models of this lesson: a small BERT, trained first on text without labels and then on a few
// labelled texts. All readers have the same layers; they differ in what they are trained on first, and
// in the direction in which they read.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "attention/transformer/bert.h"
#include "attention/transformer/masked_tokens.h"
#include "nn/nn.h"

namespace heed::lesson24 {

// Texts as ids: [CLS] word word ... [SEP]. [CLS] is Vocabulary::bos and [SEP] Vocabulary::eos.
struct Texts {
    std::vector<std::vector<int>> ids;
    std::vector<int> labels;  // empty for texts without labels
    int size() const { return static_cast<int>(ids.size()); }
    Texts first(int count) const { return range(0, count); }
    Texts range(int begin, int count) const;
};

inline constexpr const char* mask_word = "[MASK]";

// The vocabulary of the texts, with [MASK].
Vocabulary vocabulary_of(std::vector<std::string> texts, int min_frequency = 1);
std::vector<int> ids_of(const std::vector<std::string>& words, const Vocabulary& vocabulary);
std::string name_of_id(int id, const Vocabulary& vocabulary);  // [CLS] and [SEP] for bos and eos

// --- the model ----------------------------------------------------------------------------------

// Every token attends to all tokens of its text, or only to those up to itself.
enum class Direction { both, left };

struct Size {
    int64_t vocabulary = 0, longest = 0;  // the longest text, in tokens
    int64_t width = 48, heads = 4, layers = 2;
    double dropout = 0;
};

struct Reader {
    BertForPretraining model;
    Direction direction = Direction::both;
    Size size;

    Reader() = default;
    Reader(const Size& size, Direction direction, Rng& rng);
    template <class F>
    void visit(F&& f) {
        f("model", model);
    }
    BertCall call(const PaddedBatch& batch, Mode mode) const;
    Tensor vectors(const PaddedBatch& batch, Mode mode) const;  // [B, T, D]
    Tensor logits(const PaddedBatch& batch, Mode mode) const;   // of the token head, [B, T, V]
};

// --- training without labels --------------------------------------------------------------------

struct Pretraining {
    MaskingOptions masking = {};  // for Direction::both; otherwise every next token is predicted
    int steps = 0, batch = 32;
    double lr = 4e-3;  // of Adam; warm-up over a tenth of the steps, then linear decay
    std::function<void(const TrainProgress&)> on_step = {};
};
// Returns the loss of every step.
std::vector<double> pretrain(const Reader& reader, const Texts& texts, const Pretraining& how,
                             Rng& rng);

// --- training with labels -----------------------------------------------------------------------

// A dense layer over the mean of the vectors of the tokens.
struct Classifier {
    Reader reader;
    Linear head;  // [C, D]

    Classifier() = default;
    // Begins with the reader's parameters, which it copies.
    Classifier(const Reader& reader, int classes, double dropout, Rng& rng);
    template <class F>
    void visit(F&& f) {
        f("reader", reader.model.bert);
        f("head", head);
    }
    Tensor logits(const PaddedBatch& batch, Mode mode) const;  // [B, C]
};

struct FineTuning {
    int steps = 80, batch = 16;
    int classes = 0;
    double dropout = 0.2;
    std::vector<double> rates = {5e-4, 2e-3, 8e-3};
};

struct FineTuned {
    Classifier classifier;
    double rate = 0, valid = 0;  // the learning rate chosen, and its accuracy on the validation set
};

// Trains a copy of the reader once for each learning rate and keeps the one that is best on the
// validation texts.
FineTuned fine_tune(const Reader& reader, const Texts& train, const Texts& valid,
                    const FineTuning& how, std::uint64_t seed);
double accuracy(const Classifier& classifier, const Texts& texts);

}  // namespace heed::lesson24
