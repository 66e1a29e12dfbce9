// The three networks of this lesson, with 45,000 to 48,000 parameters each. All read log-mel
// frames, and end in the same way: attention pooling over the frames, then a dense layer.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "attention/heads/pooling.h"
#include "attention/modalities/conformer.h"
#include "nn/nn.h"

namespace heed::lesson27 {

inline constexpr int64_t channels = 40;  // of a frame

// Words as frames, with their labels and speakers.
struct Word {
    Tensor frames;  // [T, 40]
    int label = 0;
    std::string speaker;
};

struct Batch {
    Tensor frames;    // [B, T, 40], padded with 0
    Indices lengths;  // [B]
    Indices labels;   // [B]
};
Batch batch_of(const std::vector<Word>& words, const std::vector<int>& which);

enum class Kind { recurrent, transformer, conformer, unordered };
const char* name_of(Kind kind);

struct SpeechModel {
    Linear input;  // [D, 40]
    AbsolutePositions positions;
    std::optional<Recurrent> recurrent;  // one of these three
    std::optional<TransformerEncoder> transformer;
    std::optional<ConformerEncoder> conformer;
    AttentionPooling pool;
    Linear head;  // [10, D]

    SpeechModel() = default;
    SpeechModel(Kind kind, Rng& rng);
    template <class F>
    void visit(F&& f) {
        f("input", input);
        f("positions", positions);
        f("recurrent", recurrent);
        f("transformer", transformer);
        f("conformer", conformer);
        f("pool", pool);
        f("head", head);
    }

    // Logits [B, 10], and the weights of the frames [B, 1, T].
    struct Output {
        Tensor logits, weights;
    };
    Output operator()(const Batch& batch, Mode mode) const;
};

struct Budget {
    int steps = 300, batch = 32;
    double lr = 2e-3;  // of Adam; falls along a cosine to a fiftieth
};
void train(SpeechModel& model, const std::vector<Word>& words, const Budget& budget, Rng& rng);

// The labels that the model gives to the words.
std::vector<int> answers(const SpeechModel& model, const std::vector<Word>& words);
double accuracy(const std::vector<int>& answers, const std::vector<Word>& words);

}  // namespace heed::lesson27
