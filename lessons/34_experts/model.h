// What a network can hold: facts learned by heart, and a text, with a small network, a large one, and
// experts that cost as much as the small one.
#pragma once

#include <string>
#include <vector>

#include "attention/transformer/language_model.h"
#include "lessons/course/course.h"

namespace heed::lesson34 {

struct Network {
    std::string name;
    TransformerOptions options;
    bool frozen_router = false;  // it keeps its random initial weights,
    double router_times = 1;     // multiplied by this: the choice stays, and p comes near 1
};
// A network of so many hidden units, one of eight times as many, and experts: 1 of 8, whose output is multiplied
// by the probability p of the choice, and 2 of 16, whose weights sum to 1. The last two are the random router
// with p = 1, and 2 of 16 times p.
std::vector<Network> networks(int64_t hidden);

// --- facts --------------------------------------------------------------------------------------

inline constexpr int names = 96;    // on either side: 96 · 96 questions
inline constexpr int answers = 32;  // each question has one of them, at random

// Embeddings of both names are added, pass x + network(norm(x)), and the answer is read off.
struct Memory {
    Embedding first, second;
    RmsNorm norm, last;
    FeedForward network;
    Linear head;

    Memory(const TransformerOptions& options, Rng& rng);
    template <class F>
    void visit(F&& f) {
        f("first", first), f("second", second), f("norm", norm), f("network", network);
        f("last", last), f("head", head);
    }
    // [N], [N] -> logits [N, 32]. The scores of the router are put into `router`, if it is not null.
    Tensor operator()(const Indices& a, const Indices& b,
                      std::vector<Tensor>* router = nullptr) const;
};

struct Learned {
    Network network;
    double right = 0;  // share of all facts
    double parameters = 0,
           work = 0;          // of the network: numbers, and multiply-adds for a token, counted
    double milliseconds = 0;  // for a step of training, the networks in turn
};
Learned learn_facts(const Network& network, int steps, uint64_t seed);
std::vector<Learned> learn_all_facts(course::AtCall lesson, const std::vector<Network>& networks,
                                     int steps);

// The multiply-adds of the network for one token, counted while it runs.
double multiply_adds(const FeedForward& network, const Tensor& x);

// --- text ---------------------------------------------------------------------------------------

// Nats a character on unseen sentences, of a language model of two layers with this network in both: the
// mean over so many initial weights.
double learn_text(const Network& network, int steps, int models, uint64_t seed);
std::vector<double> learn_all_texts(course::AtCall lesson, const std::vector<Network>& networks,
                                    int steps);

// --- time ---------------------------------------------------------------------------------------

// Milliseconds for 2,048 tokens of width 256, the quickest of three calls.
double milliseconds(const Network& network);

}  // namespace heed::lesson34
