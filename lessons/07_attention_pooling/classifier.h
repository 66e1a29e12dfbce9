// A classifier of texts seen as sets of words: word vectors, one vector for the whole set, a small
// network. What differs is how many vectors become one.
#pragma once

#include <string>
#include <vector>

#include "attention/heads/pooling.h"
#include "nn/nn.h"

enum class Pooling { mean, largest, attention };
const char* name_of(Pooling pooling);

struct Texts {
    std::vector<std::vector<int>> ids;
    std::vector<int> labels;
    int size() const { return static_cast<int>(labels.size()); }
};

struct Classifier {
    Pooling pooling = Pooling::mean;
    heed::Embedding embedding;
    heed::AttentionPooling pool;  // only for attention
    heed::Linear hidden, output;
    heed::Dropout dropout;  // of the word vectors and of z

    Classifier() = default;
    Classifier(Pooling how, int vocabulary, int width, int classes, double drop, heed::Rng& rng);
    template <class F>
    void visit(F&& f) {
        f("embedding", embedding);
        f("pool", pool);
        f("hidden", hidden);
        f("output", output);
    }

    // words [B, K] with their lengths -> z [B, D]; weights [B, K] of attention only
    struct Pooled {
        heed::Tensor z, weights;
    };
    Pooled read(const heed::PaddedBatch& words, heed::Mode mode) const;
    heed::Tensor classify(const heed::Tensor& z, heed::Mode mode) const;  // logits
};

struct Schooling {
    int width = 16, classes = 4, vocabulary = 0;
    int steps = 600;  // of Adam, on batches of 32, the rate falling linearly to a tenth
    double dropout = 0;
};
// Trains at the rates 0.003 and 0.01 and keeps whichever is better on the validation texts.
Classifier taught(Pooling how, const Schooling& schooling, const Texts& train, const Texts& valid,
                  std::uint64_t seed);

double accuracy(const Classifier& model, const Texts& texts);
// Of each text, the weights of its words.
std::vector<std::vector<double>> weights_of(const Classifier& model, const Texts& texts);
