// A classifier of documents whose encoder either reads the words in order (a bidirectional GRU) or
// looks at each alone; attention pools what it gives. And what can be asked of its weights.
#pragma once

#include <string>
#include <vector>

#include "attention/heads/pooling.h"
#include "lessons/course/generated/documents.h"
#include "nn/nn.h"

enum class Encoder { recurrent, context_free };
const char* name_of(Encoder encoder);

struct Reader {
    Encoder kind = Encoder::recurrent;
    heed::Embedding embedding;
    heed::Gru recurrent;        // two directions of D / 2
    heed::Linear context_free;  // [D, D], with a tanh: every word by itself
    heed::AttentionPooling pool;
    heed::Linear output;

    Reader() = default;
    Reader(Encoder which, int vocabulary, int classes, heed::Rng& rng);
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
    // The logits [1, C] from states [1, K, D] pooled with other weights [1, K] than its own.
    heed::Tensor answer(const heed::Tensor& states, const heed::Tensor& weights) const;
};

// Documents as ids, trained on and tested.
struct Material {
    heed::Vocabulary vocabulary;
    heed::course::Documents documents;

    explicit Material(std::uint64_t seed);
    std::vector<int> ids(const heed::course::Document& document) const;
};
Reader teach(Encoder kind, const Material& material, int steps, std::uint64_t seed);
double accuracy(const Reader& reader, const Material& material);

// Of one document: its weights, what the gradient says, the probabilities.
struct Asked {
    std::vector<double> weights, gradient;  // a number for each word
    std::vector<double> probabilities;
    heed::Tensor states;  // [1, K, D]
};
// The gradient is that of the likeliest class's logit z with respect to each word's vector x, as
// |x · dz/dx|.
Asked ask(const Reader& reader, const std::vector<int>& ids);

// (concordant - discordant) / all pairs; ties count as neither (Kendall 1938).
double kendall_tau(const std::vector<double>& a, const std::vector<double>& b);
// Half the sum of the differences of two distributions: 0 equal, 1 disjoint.
double total_variation(const std::vector<double>& p, const std::vector<double>& q);
// Jensen-Shannon divergence in nats: 0 equal, ln 2 = 0.69 disjoint.
double jensen_shannon(const std::vector<double>& p, const std::vector<double>& q);

// The probabilities of the classes when the states are pooled with these weights.
std::vector<double> answer_with(const Reader& reader, const Asked& asked,
                                const std::vector<double>& weights);
// Weights as far from the reader's as can be found while its answer moves by at most `slack` in
// total variation (Jain and Wallace 2019, section 4.2): gradient ascent on the divergence.
std::vector<double> adversarial_weights(const Reader& reader, const Asked& asked, double slack,
                                        int steps);
