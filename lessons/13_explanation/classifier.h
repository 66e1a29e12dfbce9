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
    heed::Embedding embedding;
    heed::Gru recurrent;        // two directions of width D / 2
    heed::Linear context_free;  // [D, D], followed by tanh
    heed::AttentionPooling pool;
    heed::Linear output;

    Classifier() = default;
    Classifier(Encoder which, int vocabulary, int classes, heed::Rng& rng);
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
    heed::Tensor encode(const heed::Tensor& words, const heed::Indices& lengths) const;
    // weights [B, K], logits [B, C]
    struct Read {
        heed::Tensor states, weights, logits;
    };
    Read read(const heed::Tensor& words, const heed::Indices& lengths) const;
    // The logits [1, C] of states [1, K, D] that are pooled with the given weights [1, K] instead
    // of the attention weights.
    heed::Tensor logits_of(const heed::Tensor& states, const heed::Tensor& weights) const;
};

// The documents, and the vocabulary of those for training.
struct Data {
    heed::Vocabulary vocabulary;
    heed::course::Documents documents;

    explicit Data(std::uint64_t seed);  // generated
    // A folder of texts in which people marked words (marked_text.h): the telling words are the
    // marked ones, the topics are the labels. The vocabulary are the words that occur at least
    // three times in the training set. Throws InputError as read_marked_sets() does.
    explicit Data(const std::string& folder);
    std::vector<int> ids(const heed::course::Document& document) const;
};
Classifier train(Encoder kind, const Data& data, int steps, std::uint64_t seed);
double accuracy(const Classifier& model, const Data& data);  // on the test set

// What is known of one document.
struct Analysis {
    std::vector<double> weights, gradient;  // of attention; |x · dz/dx|; one number for each word
    std::vector<double> probabilities;      // of the classes
    heed::Tensor states;                    // [1, K, D]
};

heed::Tensor row(const std::vector<double>& values);  // [1, n]

}  // namespace heed::lesson13
