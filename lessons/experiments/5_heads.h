//! # Many narrow heads, or one wide one?
//! Part: Queries, keys, values
//!
//! A layer of self-attention has to write a string backwards: at each position the letter that
//! stands as far from the other end (lessons {heads} and {positions}). You say how many heads it
//! should have, how it gets the positions, and how wide it must be. Everything in this file may be
//! changed.
#include "lessons/course/exercise/write.h"

struct Setting {
    std::int64_t width = 32, heads = 4, layers = 1, length = 12;
    PositionKind positions = PositionKind::learned;
    int steps = 300;
    double rate = 3e-3;
};

// The share of letters that are right in 200 new strings.
double reversed(const Setting& setting, std::uint64_t seed) {
    constexpr int letters = 10;
    Rng rng(seed);
    const TransformerOptions options{.width = setting.width,
                                     .heads = setting.heads,
                                     .layers = setting.layers,
                                     .hidden = 2 * setting.width,
                                     .pre_norm = true,
                                     .positions = {.kind = setting.positions,
                                                   .width = setting.width,
                                                   .heads = setting.heads,
                                                   .max_positions = setting.length}};
    const Embedding embedding(letters, setting.width, rng);
    const AbsolutePositions positions(options.positions, rng);
    const TransformerEncoder encoder(options, rng);
    const Linear output(setting.width, letters, rng);
    ParameterList all = parameters(embedding);
    for (const Parameter& p : parameters(positions)) all.push_back(p);
    for (const Parameter& p : parameters(encoder)) all.push_back(p);
    for (const Parameter& p : parameters(output)) all.push_back(p);
    const auto draw = [&](std::int64_t count, Indices& backwards) {
        std::vector<int> ids, wanted;
        for (std::int64_t b = 0; b < count; ++b) {
            for (std::int64_t t = 0; t < setting.length; ++t)
                ids.push_back(static_cast<int>(rng.below(letters)));
            wanted.insert(wanted.end(), ids.rbegin(), ids.rbegin() + setting.length);
        }
        backwards = Indices(wanted, {count, setting.length});
        return Indices(ids, {count, setting.length});
    };
    const auto logits = [&](const Indices& ids) {
        return output(encoder(positions(embedding(ids))));
    };
    Adam adam(all, {.lr = setting.rate});
    Indices backwards;
    train(adam, {.steps = setting.steps, .clip_norm = 1}, [&](std::int64_t) {
        const Indices ids = draw(32, backwards);
        return StepResult{cross_entropy(logits(ids), backwards)};
    });
    const NoGrad no_grad;
    const Indices ids = draw(200, backwards);
    return metrics::accuracy(logits(ids), backwards);
}

// 1. The hypothesis: one sentence that could turn out to be wrong, such as
//    "Four heads get 5 % more letters right than one head of the same total width."
const char* const hypothesis = "";

// 2. The bar: first() is larger than second() by at least `by`, with at least `seeds` of twenty
// seeds.
const double by = 0;
const int seeds = 0;

// 3. The two ways, for one seed. What they return is a share of letters.
double first(std::uint64_t seed) { return reversed({.heads = 4}, seed); }
double second(std::uint64_t seed) { return reversed({.heads = 1}, seed); }
