// A task whose best routing is known: tokens of eight kinds, each of which has to be turned in its own way.
// Eight experts learn it by any rule of training.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "attention/transformer/experts.h"
#include "lessons/course/course.h"
#include "nn/nn.h"

namespace heed::lesson34 {

inline constexpr int kinds = 8;
inline constexpr int64_t half = 8;  // a token: 8 numbers that tell its kind, and 8 to be turned

struct Tokens {
    Tensor x;  // [N, 16]
    Tensor y;  // [N, 8], the second half of x turned
    Indices kind;
};

// The vectors that tell the kinds have a large part in common, as the hidden states of a network do. That
// part is `common` times as large as what tells them apart.
struct Kinds {
    Tensor code;      // [8, 8]
    Tensor rotation;  // [8, 8, 8], orthogonal

    Kinds(double common, Rng& rng);
    Tokens draw(int count, Rng& rng) const;
};

// The smallest mixture: each expert is one matrix.
struct Sorter {
    Linear router;
    std::vector<Linear> experts;

    explicit Sorter(Rng& rng);
    template <class F>
    void visit(F&& f) {
        f("router", router), f("experts", experts);
    }
    // [N, 16], chosen and weights [N, 8] -> [N, 8]. Each expert computes the tokens for which it is chosen,
    // and `computed` counts them.
    Tensor operator()(const Tensor& x, const Tensor& chosen, const Tensor& weights) const;
    static int64_t computed;
};

// The loss of one step, from the tokens and the scores of the router [N, 8].
using Loss = std::function<Tensor(const Sorter& sorter, const Tokens& tokens, const Tensor& scores,
                                  Rng& rng)>;

struct Rule {
    std::string name;
    // Makes the loss anew for each training, so that each has a baseline of its own.
    std::function<Loss()> loss;
    bool by_probability = false;  // whether the output is multiplied by the probability in use, too
};

struct Sorted {
    double error = 0;           // of new tokens, each by its best expert; an answer of 0 has 1
    double mixed = 0;           // the same by all experts, weighted by their probabilities
    double experts = 0;         // that have more than 2 % of the tokens
    double work = 0;            // experts computed for a token in training
    std::vector<double> steps;  // and at each of them the effective number of experts, e^H
    std::vector<double> effective;
    std::vector<std::vector<double>> tables;  // at each of them: kinds x experts, shares of a kind
};

Sorted train_sorter(const Rule& rule, double common, int steps, uint64_t seed);
// The means over so many tasks, each with its own kinds and initial weights; steps and tables of the first.
struct Means {
    double error = 0, mixed = 0, experts = 0, work = 0, effective = 0;
    course::Series series;  // the effective number against the step
    Sorted first;
};
Means train_sorters(const Rule& rule, double common, int steps, int tasks, uint64_t seed);

}  // namespace heed::lesson34
