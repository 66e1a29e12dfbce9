// Documents in which the importance of a word depends on the word before it. Each has two telling
// words of different topics. The topic of the document is that of the telling word after "mainly":
//
//     she went mainly thunder to the door and so flute it was      topic: the weather
//
// The scores of attention are computed from each word alone, or from each word and its context,
// which is the word before it.
#pragma once

#include <vector>

#include "nn/nn.h"

namespace heed::workshop9 {

struct MarkedDocuments {
    Indices words, before;  // [B, K]: each word, and the word before it
    Indices label, right;   // [B]: the topic, and the position of the right telling word
    Indices other;          // [B]: the position of the other telling word
};

// The vocabulary of these documents; `draw` makes documents of 30 words.
class MarkedWords {
  public:
    MarkedWords();
    int size() const { return vocabulary_.size(); }
    MarkedDocuments draw(int count, Rng& rng) const;

  private:
    Vocabulary vocabulary_;
};

enum class Context { none, word_before };

struct MarkedResult {
    double accuracy = 0, on_right = 0, on_other = 0;  // on new documents: accuracy, mean weights
};

// Scores [B, K] from the words' vectors x [B, K, D] and the vectors of their contexts.
struct MarkedModel {
    Embedding embedding;
    Linear word, context;  // context is undefined for Context::none
    Tensor query;          // [D], only for Context::none
    Linear hidden, output;

    MarkedModel(Context context, int vocabulary, Rng& rng);
    template <class F>
    void visit(F&& f) {
        f("embedding", embedding), f("word", word), f("context", context), f("query", query);
        f("hidden", hidden), f("output", output);
    }
};

// Trains on new batches of 32 documents; `weights` computes the weights [B, K] of a model.
using WeightsOf = Tensor (*)(const MarkedModel&, const MarkedDocuments&);
MarkedResult train_marked(Context context, WeightsOf weights, int steps, std::uint64_t seed);

}  // namespace heed::workshop9
