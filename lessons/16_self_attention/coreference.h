// What does "it" mean? Rounds of self-attention over sentences of course/pronouns.h, judged by
// their answers and by where "it" looks in its last round.
#pragma once

#include <vector>

#include "lessons/16_self_attention/rounds.h"
#include "lessons/course/figures/figures.h"
#include "lessons/course/generated/pronouns.h"
#include "nn/nn.h"

namespace heed::lesson16 {

// ---------------------------------------------------------------

enum class Answer { number, noun };  // of the mention that "it" means

struct PronounBatch {
    Indices words, numbers;  // [B, T]; numbers: 1 to 8 at the two nouns, 0 elsewhere
    Tensor mask;             // [B, 1, T]
    Indices it;              // [B], its place among all B T tokens
    Indices answer;          // [B]
};
PronounBatch pronoun_batch(const std::vector<course::PronounSentence>& sentences, Answer answer,
                           Rng& rng);

struct PronounReader {
    Embedding word, number;
    Rounds rounds;
    Linear output;

    PronounReader(int rounds, Answer answer, Rng& rng);
    template <class F>
    void visit(F&& f) {
        f("word", word), f("number", number), f("rounds", rounds), f("output", output);
    }
    // Logits [B, answers] read at "it".
    Tensor operator()(const PronounBatch& batch, std::vector<Tensor>* weights = nullptr) const;
};

// Trains on 64 random sentences a step, with new numbers each time.
void learn_pronouns(PronounReader& reader, Answer answer,
                    const std::vector<course::PronounSentence>& sentences, int steps, Rng rng);

// The weights of "it" in the last round, [sentences][words], and the share of right answers.
struct Looks {
    std::vector<std::vector<double>> weights;
    double right = 0;
};
Looks look(const PronounReader& reader, Answer answer,
           const std::vector<course::PronounSentence>& sentences, Rng rng);

// Readers trained from several seeds (seed, seed + 1, ...), each judged on the test sentences and
// the twins among them.
struct Study {
    std::vector<double> right;    // share of right answers
    std::vector<double> points;   // of sentences whose largest weight is on the noun "it" means
    std::vector<double> follows;  // of twins in both of which the right noun outweighs the other
    double ratio = 0;  // the most by which the two nouns' log weights, one less the other, differ
                       // between twins
    std::vector<double> tired, wide;  // weights of "it" in the first twins, by the last reader
};
Study study(int rounds, Answer answer, const course::PronounSentences& data, int steps, int seeds,
            uint64_t seed);
course::HeatMap twins_map(const Study& study);  // tired above wide, the right nouns outlined

}  // namespace heed::lesson16
