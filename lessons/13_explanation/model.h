// A classifier of documents with attention pooling. Its encoder is either a bidirectional GRU,
// which reads the words in order, or context-free: each state depends on one word only.
#pragma once

#include <string>
#include <vector>

#include "attention/heads/pooling.h"
#include "lessons/material/corpora/documents.h"
#include "nn/nn.h"

namespace heed::lesson13 {

enum class Encoder { recurrent, context_free };
const char* name_of(Encoder encoder);

struct Classifier {
    Encoder kind = Encoder::recurrent;
    Embedding embedding;
    Gru recurrent;        // two directions of width D / 2
    Linear context_free;  // [D, D], followed by tanh
    AttentionPooling pool;
    Linear output;

    Classifier() = default;
    Classifier(Encoder which, int vocabulary, int classes, Rng& rng);
    template <class F>
    void visit(F&& f) {
        f("embedding", embedding);
        if (kind == Encoder::recurrent)
            f("recurrent", recurrent);
        else
            f("context_free", context_free);
        f("pool", pool);
        f("output", output);
    }

    // words [B, K, D] embedded, with their lengths -> states [B, K, D]
    Tensor encode(const Tensor& words, const Indices& lengths) const;
    // weights [B, K], logits [B, C]
    struct Read {
        Tensor states, weights, logits;
    };
    Read read(const Tensor& words, const Indices& lengths) const;
    // The logits [1, C] of states [1, K, D] that are pooled with the given weights [1, K] instead
    // of the attention weights.
    Tensor logits_of(const Tensor& states, const Tensor& weights) const;
};

// The documents, and the vocabulary of those for training.
struct Data {
    Vocabulary vocabulary;
    course::Documents documents;

    explicit Data(std::uint64_t seed);  // generated
    // A folder of texts in which people marked words (marked_text.h): the telling words are the
    // marked ones, the topics are the labels. The vocabulary are the words that occur at least
    // three times in the training set. Throws InputError as read_marked_sets() does.
    explicit Data(const std::string& folder);
    std::vector<int> ids(const course::Document& document) const;
};
Classifier train(Encoder kind, const Data& data, int steps, std::uint64_t seed);
double accuracy(const Classifier& model, const Data& data);  // on the test set

// What is known of one document.
struct Analysis {
    std::vector<double> weights, gradient;  // of attention; |x · dz/dx|; one number for each word
    std::vector<double> probabilities;      // of the classes
    Tensor states;                          // [1, K, D]
};

Tensor row(const std::vector<double>& values);  // [1, n]

}  // namespace heed::lesson13
