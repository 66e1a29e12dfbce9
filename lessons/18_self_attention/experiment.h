// Two tasks for layers of self-attention. On a graph one node is given a colour, and every node has
// to answer with this colour. In a sentence (material/corpora/pronouns.h) the question is what "it"
// means; we measure the accuracy of the answers, and the attention weights of "it" in the last
// layer.
#pragma once

#include <string>
#include <vector>

#include "lessons/18_self_attention/model.h"
#include "lessons/material/corpora/graphs.h"
#include "lessons/material/corpora/pronouns.h"
#include "nn/nn.h"

namespace heed::lesson18 {

// --- colours ------------------------------------------------------------------------------------

inline constexpr int nodes = 16, colours = 8;

struct ColourData {
    Tensor tokens;          // [B, 16, 9]: 1 and the colour, one-hot, at the source node; else zeros
    Tensor mask;            // [B, 16, 16]: neighbours
    Indices colour;         // [B, 16]: the same at all nodes of a graph
    std::vector<int> hops;  // [B, 16]: distance from the source node
};
ColourData draw_colours(int64_t count, Rng& rng);

struct GraphModel {
    Linear input;
    SelfAttentionLayers layers;
    Readout output;

    GraphModel(int layers, ReadoutKind readout, Rng& rng);
    template <class F>
    void visit(F&& f) {
        f("input", input), f("layers", layers), f("output", output);
    }
    Tensor operator()(const Tensor& tokens, const Tensor& mask) const;  // [B, 16, colours]
};

// Trains on 32 new random graphs in each step. Returns the accuracy on new graphs by the distance
// from the source node, 0 to most_hops hops.
std::vector<double> train_colours(GraphModel& model, int steps, int most_hops, int64_t test_graphs,
                                  Rng rng);

// For all pairs of nodes: the gradient of the output of one node with respect to the input of the
// other should be nonzero if they are at most `layers` hops apart, and zero otherwise. Returns the
// number of pairs for which it is not so.
int count_wrong_gradients(int layers, const course::Graph& graph, Rng& rng);

// --- pronouns -----------------------------------------------------------------------------------

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

}  // namespace heed::lesson18
