// A recurrent tagger: for each word of a sentence, is it an article, a noun or a verb? "saw" and "plant"
// are both, so the network has to look at their neighbours.
//
//     ./heed run lessons/examples/recurrent_tagger.cpp
#include "nn/nn.h"
using namespace heed;

const std::vector<std::string> tags{"article", "noun", "verb"};

struct Tagged {
    std::vector<std::vector<int>> words, tags;
};

// Sentences such as "the dog saw a plant the cat", as numbers.
Tagged sentences(int count, const Vocabulary& vocabulary, Rng& rng) {
    const std::vector<std::string> articles{"the", "a"}, nouns{"dog", "cat", "saw", "plant"},
        verbs{"saw", "plant", "hear", "chase"};
    Tagged result;
    for (int i = 0; i < count; ++i) {
        std::vector<int> words, kinds;
        const auto add = [&](const std::vector<std::string>& of, int kind) {
            words.push_back(vocabulary.id(of[rng.below(static_cast<int64_t>(of.size()))]));
            kinds.push_back(kind);
        };
        for (int64_t phrases = 2 + rng.below(4), k = 0; k < phrases; ++k) {
            if (k > 0) add(verbs, 2);
            if (rng.chance(0.7)) add(articles, 0);
            add(nouns, 1);
        }
        result.words.push_back(words);
        result.tags.push_back(kinds);
    }
    return result;
}

struct Tagger {
    Embedding embedding;
    Lstm lstm;
    Linear output;

    Tagger(int vocabulary, Rng& rng)
        : embedding(vocabulary, 16, rng, Vocabulary::pad),
          lstm(16, 16, {.bidirectional = true}, rng),
          output(32, 3, rng) {}
    template <class F>
    void visit(F&& f) {
        f("embedding", embedding);
        f("lstm", lstm);
        f("output", output);
    }
    Tensor operator()(const PaddedBatch& words) const {  // [B, T] -> [B, T, 3]
        return output(lstm(embedding(words.ids), words.lengths).output);
    }
};

int main() {
    Rng rng(1);
    const Vocabulary vocabulary = Vocabulary::build({"the a dog cat saw plant hear chase"});
    const Tagged training = sentences(600, vocabulary, rng), test = sentences(200, vocabulary, rng);
    constexpr int no_tag = -100;

    Tagger tagger(vocabulary.size(), rng);
    Adam optimiser(parameters(tagger), {.lr = 1e-2});
    for (int step = 1; step <= 60; ++step) {
        std::vector<int> rows(50);
        for (int& row : rows) row = static_cast<int>(rng.below(600));
        const PaddedBatch words = pad_sequences(pick(training.words, rows));
        const PaddedBatch target = pad_sequences(pick(training.tags, rows), no_tag);
        optimiser.zero_grad();
        backward(cross_entropy(tagger(words), target.ids, {.ignored_index = no_tag}));
        optimiser.step_clipped(1);
    }

    NoGrad no_grad;
    const Tensor logits = tagger(pad_sequences(test.words));
    fmt::print("test accuracy {:.3f}\n",
               metrics::accuracy(logits, pad_sequences(test.tags, no_tag).ids, no_tag));
}
