// A classifier that treats a text as a set of words. It embeds each word, pools the vectors of all
// words into one, and classifies that vector with a small network. There are three kinds of
// pooling.
#pragma once

#include <string>
#include <vector>

#include "attention/heads/pooling.h"
#include "nn/nn.h"

namespace heed::lesson09 {

enum class Pooling { mean, largest, attention };
const char* name_of(Pooling pooling);

struct Texts {
    std::vector<std::vector<int>> ids;
    std::vector<int> labels;
    int size() const { return static_cast<int>(labels.size()); }
};

struct Classifier {
    Pooling pooling = Pooling::mean;
    Embedding embedding;
    AttentionPooling pool;  // only for attention
    Linear hidden, output;
    Dropout dropout;  // of the word vectors and of z

    Classifier() = default;
    Classifier(Pooling how, int vocabulary, int width, int classes, double drop, Rng& rng);
    template <class F>
    void visit(F&& f) {
        f("embedding", embedding);
        f("pool", pool);
        f("hidden", hidden);
        f("output", output);
    }

    // words [B, K] with their lengths -> z [B, D]; weights [B, K] of attention only
    struct Pooled {
        Tensor z, weights;
    };
    Pooled read(const PaddedBatch& words, Mode mode) const;
    Tensor classify(const Tensor& z, Mode mode) const;  // logits
};

struct TrainingOptions {
    int width = 16, classes = 4, vocabulary = 0;
    int steps = 600;  // of Adam, on batches of 32; the learning rate falls linearly to a tenth
    double dropout = 0;
};
// Trains at the learning rates 0.003 and 0.01 and returns the model that is better on the
// validation texts.
Classifier train_classifier(Pooling how, const TrainingOptions& options, const Texts& train,
                            const Texts& valid, std::uint64_t seed);

double accuracy(const Classifier& model, const Texts& texts);
// The attention weights of the words of each text.
std::vector<std::vector<double>> weights_of(const Classifier& model, const Texts& texts);

}  // namespace heed::lesson09
