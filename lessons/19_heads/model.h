// The model of lesson {heads}: one attention layer with some number of heads. The verb is the
// query, and the output is the name of the person in each grammatical role.
#pragma once

#include <vector>

#include "attention/heads/multi_head.h"
#include "lessons/19_heads/data.h"
#include "nn/nn.h"

namespace heed::lesson19 {

inline constexpr int64_t width = 32;

struct ModelOptions {
    int heads = 1;
    int relations = 2;    // the number of roles to answer: the first of who, whom, with, for
    bool hidden = false;  // whether there is a hidden layer of relu units before the outputs
};

struct RoleModel {
    Embedding name, role;
    MultiHead attention;
    Linear hidden;                // undefined without a hidden layer
    std::vector<Linear> outputs;  // one for each relation, [names, width]

    RoleModel(const ModelOptions& options, Rng& rng);
    template <class F>
    void visit(F&& f) {
        f("name", name), f("role", role), f("attention", attention), f("hidden", hidden);
        f("outputs", outputs);
    }
    // Logits [B, relations, names]; also the weights of the verb, [B, H, words], if `weights` is
    // given.
    Tensor operator()(const Sentences& sentences, Tensor* weights = nullptr) const;
};

struct Accuracy {
    std::vector<double> each;  // of each relation
    double all = 0;            // share of sentences in which all are right
};
void train_model(RoleModel& model, int steps, Rng rng);  // on 64 new random sentences in each step
Accuracy accuracy(const RoleModel& model, Rng rng);      // on 2,000 new sentences

// The mean weight of each head on the word of each role, [H][who, whom, with, for, the verb
// itself].
std::vector<std::vector<double>> mean_weights(const RoleModel& model, Rng rng);

// Whether each head has its largest mean weight on a different role.
bool heads_differ(const RoleModel& model, Rng rng);

// A copy of the model in which the columns of one head in the output matrix are zero.
RoleModel without_head(const RoleModel& model, int head);

struct Trained {
    RoleModel model;
    Accuracy accuracy;
};
std::vector<Trained> train_several(const ModelOptions& options, int steps, int seeds,
                                   uint64_t seed);  // seed, seed + 1, ...
const Trained& best_of(const std::vector<Trained>& runs);

}  // namespace heed::lesson19
