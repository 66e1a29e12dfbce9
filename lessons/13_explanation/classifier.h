// A classifier of documents with attention pooling. Its encoder is either a bidirectional GRU,
// which reads the words in order, or context-free: each state depends on one word only. Also the
// measures that compare its attention weights with gradients.
#pragma once

#include <string>
#include <vector>

#include "attention/heads/pooling.h"
#include "lessons/course/generated/documents.h"
#include "nn/nn.h"

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

// The documents, training and test set, and their vocabulary.
struct Data {
    heed::Vocabulary vocabulary;
    heed::course::Documents documents;

    explicit Data(std::uint64_t seed);
    std::vector<int> ids(const heed::course::Document& document) const;
};
Classifier train(Encoder kind, const Data& data, int steps, std::uint64_t seed);
double accuracy(const Classifier& model, const Data& data);

// The attention weights, the gradients and the class probabilities of one document.
struct Analysis {
    std::vector<double> weights, gradient;  // one number for each word
    std::vector<double> probabilities;
    heed::Tensor states;  // [1, K, D]
};
// With z the logit of the most probable class and x the vector of a word, `gradient` holds |x ·
// dz/dx|.
Analysis analyse(const Classifier& model, const std::vector<int>& ids);

// (concordant - discordant) / all pairs; ties count as neither (Kendall 1938).
double kendall_tau(const std::vector<double>& a, const std::vector<double>& b);
// Half the sum of the absolute differences of two distributions: 0 if equal, 1 if disjoint.
double total_variation(const std::vector<double>& p, const std::vector<double>& q);
// Jensen-Shannon divergence in nats: 0 if equal, ln 2 = 0.69 if disjoint.
double jensen_shannon(const std::vector<double>& p, const std::vector<double>& q);

// The class probabilities when the states are pooled with these weights.
std::vector<double> probabilities_with(const Classifier& model, const Analysis& analysis,
                                       const std::vector<double>& weights);
// Searches for weights that are far from the attention weights but change the class probabilities
// by at most `slack` in total variation (Jain and Wallace 2019, section 4.2), by gradient ascent on
// the divergence.
std::vector<double> adversarial_weights(const Classifier& model, const Analysis& analysis,
                                        double slack, int steps);
