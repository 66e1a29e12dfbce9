// What does "it" mean? Self-attention layers over the sentences of material/corpora/pronouns.h. We
// measure the accuracy of the answers, and the attention weights of "it" in the last layer.
#pragma once

#include <string>
#include <vector>

#include "lessons/18_self_attention/layers.h"
#include "lessons/course/figures/figures.h"
#include "lessons/material/corpora/pronouns.h"
#include "nn/nn.h"

namespace heed::lesson18 {

// What the model answers about the mention that "it" refers to.
enum class Answer { number, noun };

struct PronounBatch {
    Indices words, numbers;  // [B, T]; numbers: 1 to 8 at the two nouns, 0 elsewhere
    Tensor mask;             // [B, 1, T]
    Indices it;              // [B], the index of "it" among all B T tokens
    Indices answer;          // [B]
};
PronounBatch pronoun_batch(const std::vector<course::PronounSentence>& sentences, Answer answer,
                           Rng& rng);

struct PronounModel {
    Embedding word, number;
    SelfAttentionLayers layers;
    Readout output;

    PronounModel(int layers, Answer answer, ReadoutKind readout, Rng& rng);
    template <class F>
    void visit(F&& f) {
        f("word", word), f("number", number), f("layers", layers), f("output", output);
    }
    // Logits [B, answers], computed from the token "it".
    Tensor operator()(const PronounBatch& batch, std::vector<Tensor>* weights = nullptr) const;
};

// Trains on 64 random sentences in each step, with new random numbers.
void train_model(PronounModel& model, Answer answer,
                 const std::vector<course::PronounSentence>& sentences, int steps, Rng rng);

// The attention weights of "it" in the last layer, [sentences][words], and the accuracy.
struct Output {
    std::vector<std::vector<double>> weights;
    double accuracy = 0;
};
Output outputs_of(const PronounModel& model, Answer answer,
                  const std::vector<course::PronounSentence>& sentences, Rng rng);

// Trains models with several seeds (seed, seed + 1, ...) and tests each on the test sentences and
// on the twins among them. One entry for each seed:
struct Results {
    std::vector<double> accuracy;  // share of right answers
    // Share of sentences in which the largest weight is on the noun that "it" refers to.
    std::vector<double> on_noun;
    // Share of twins where in both sentences the right noun has more weight than the other.
    std::vector<double> both_twins;
    // Largest difference between twins of the log ratio of the two nouns' weights.
    double ratio = 0;
    std::vector<double> tired, wide;  // weights of "it" in the first twins, last model
};
Results train_and_test(int layers, Answer answer, ReadoutKind readout,
                       const course::PronounSentences& data, int steps, int seeds, uint64_t seed);
// Tired above wide, the right nouns outlined.
course::HeatMap twins_map(const std::string& title, const Results& results);

}  // namespace heed::lesson18
