// The model of lesson 17: the verb asks, once, with some number of heads, and names those who play
// the parts it is asked for.
#pragma once

#include <vector>

#include "attention/heads/multi_head.h"
#include "lessons/17_heads/parts.h"
#include "nn/nn.h"

namespace heed::lesson17 {

inline constexpr int64_t width = 32;

struct AskerOptions {
    int heads = 1;
    int relations = 2;    // how many of who, whom, with, for it is asked for
    bool hidden = false;  // a layer of relu units before the outputs
};

struct Asker {
    Embedding name, part;
    MultiHead attention;
    Linear hidden;                // of a layer between, if there is one
    std::vector<Linear> outputs;  // one for each relation, [names, width]

    Asker(const AskerOptions& options, Rng& rng);
    template <class F>
    void visit(F&& f) {
        f("name", name), f("part", part), f("attention", attention), f("hidden", hidden);
        f("outputs", outputs);
    }
    // Logits [B, relations, names]; the weights of the verb, [B, H, words], if wanted.
    Tensor operator()(const Sentences& sentences, Tensor* weights = nullptr) const;
};

struct Accuracy {
    std::vector<double> each;  // of each relation
    double all = 0;            // all of them right in one sentence
};
void learn(Asker& asker, int steps, Rng rng);    // 64 fresh sentences a step
Accuracy accuracy(const Asker& asker, Rng rng);  // on 2,000 fresh ones

// How much each head of the verb weighs the word of each part on average, [H][who, whom, with, for,
// the verb itself].
std::vector<std::vector<double>> mean_weights(const Asker& asker, Rng rng);

// Whether each head looks most at a part of its own.
bool heads_part(const Asker& asker, Rng rng);

// The same asker, deaf to what one head says: its columns of the output matrix are zero.
Asker without_head(const Asker& asker, int head);

struct Trained {
    Asker asker;
    Accuracy accuracy;
};
std::vector<Trained> train_several(const AskerOptions& options, int steps, int seeds,
                                   uint64_t seed);  // seed, seed + 1, ...
const Trained& best_of(const std::vector<Trained>& runs);

}  // namespace heed::lesson17
