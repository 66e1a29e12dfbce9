//! # What helps a network to remember?
//! Part: Memory before attention
//!
//! A recurrent network reads a string of random letters and is then asked for the first one (lesson
//! {recurrence}). You say what keeps the letter: another cell, a wider state, an open forget gate,
//! reading backwards. Everything in this file may be changed.
#include "lessons/course/exercise/write.h"

struct Setting {
    CellKind cell = CellKind::gru;
    std::int64_t width = 32, length = 12;
    int steps = 800;
    double rate = 5e-3;
    bool backwards = false;  // the first letter is read last
};

constexpr int letters = 8;

Indices random_strings(std::int64_t count, std::int64_t length, Rng& rng) {
    std::vector<int> ids;
    for (std::int64_t i = 0; i < count * length; ++i)
        ids.push_back(static_cast<int>(rng.below(letters)));
    return Indices(ids, {count, length});
}

// The share of 500 new strings whose first letter the network names.
double remembered(const Setting& setting, std::uint64_t seed) {
    Rng rng(seed);
    const Embedding embedding(letters, 16, rng);
    const Recurrent network(setting.cell, 16, setting.width, {}, rng);
    const Linear output(setting.width, letters, rng);
    ParameterList all = parameters(embedding);
    for (const Parameter& p : parameters(network)) all.push_back(p);
    for (const Parameter& p : parameters(output)) all.push_back(p);
    const auto asked = [&](const Indices& strings) {
        const Tensor x = embedding(strings);  // [B, T, 16]
        return output(network(setting.backwards ? flip(x, 1) : x).states.back().hidden);
    };
    const auto firsts = [&](const Indices& strings) {
        std::vector<int> ids;
        for (std::int64_t b = 0; b < strings.size(0); ++b) ids.push_back(strings.at({b, 0}));
        return Indices(ids);
    };
    Adam adam(all, {.lr = setting.rate});
    train(adam, {.steps = setting.steps, .clip_norm = 1}, [&](std::int64_t) {
        const Indices strings = random_strings(32, setting.length, rng);
        return StepResult{cross_entropy(asked(strings), firsts(strings))};
    });
    const NoGrad no_grad;
    const Indices strings = random_strings(500, setting.length, rng);
    return metrics::accuracy(asked(strings), firsts(strings));
}

// 1. The hypothesis: one sentence that could turn out to be wrong, such as
//    "An LSTM remembers the letter in 10 % more strings than a GRU of the same width."
const char* const hypothesis = "";

// 2. The bar: first() is larger than second() by at least `by`, with at least `seeds` of twenty
// seeds.
const double by = 0;
const int seeds = 0;

// 3. The two ways, for one seed. What they return is a share of strings.
double first(std::uint64_t seed) { return remembered({.cell = CellKind::lstm}, seed); }
double second(std::uint64_t seed) { return remembered({.cell = CellKind::gru}, seed); }
