//! # How far must a layer see?
//! Part: The price of length
//!
//! A long string of letters holds one mark, and at its end the network is asked for the letter
//! after the mark. Each position sees only a window of those before it, so the letter has to be
//! passed on from layer to layer (lesson {long_sequences}). You say which windows and layers are
//! enough. Everything in this file may be changed.
#include "lessons/course/exercise/write.h"

struct Setting {
    std::int64_t window = 8, layers = 2, length = 24, width = 32;
    int steps = 600;
    double rate = 3e-3;
};

// The share of 400 new strings whose letter is named.
double carried(const Setting& setting, std::uint64_t seed) {
    constexpr int letters = 6, mark = 6;
    Rng rng(seed);
    const TransformerOptions options{.width = setting.width,
                                     .heads = 4,
                                     .layers = setting.layers,
                                     .hidden = 2 * setting.width,
                                     .pre_norm = true,
                                     .positions = {.kind = PositionKind::rotary}};
    const Embedding embedding(letters + 1, setting.width, rng);
    const TransformerEncoder encoder(options, rng);
    const Linear output(setting.width, letters, rng);
    ParameterList all = parameters(embedding);
    for (const Parameter& p : parameters(encoder)) all.push_back(p);
    for (const Parameter& p : parameters(output)) all.push_back(p);
    const Tensor mask = sliding_window_mask(setting.length, setting.length, setting.window - 1, 0);
    const auto logits = [&](std::int64_t count, Indices& wanted) {
        std::vector<int> ids, answers;
        for (std::int64_t b = 0; b < count; ++b) {
            const std::int64_t at = rng.below(setting.length - 1);
            for (std::int64_t t = 0; t < setting.length; ++t)
                ids.push_back(t == at ? mark : static_cast<int>(rng.below(letters)));
            answers.push_back(ids[static_cast<std::size_t>(b * setting.length + at + 1)]);
        }
        wanted = Indices(answers);
        const Tensor y = encoder(embedding(Indices(ids, {count, setting.length})), {.mask = mask});
        return output(select(y, 1, setting.length - 1));
    };
    Adam adam(all, {.lr = setting.rate});
    Indices wanted;
    train(adam, {.steps = setting.steps, .clip_norm = 1}, [&](std::int64_t) {
        const Tensor guessed = logits(32, wanted);
        return StepResult{cross_entropy(guessed, wanted)};
    });
    const NoGrad no_grad;
    const Tensor guessed = logits(400, wanted);
    return metrics::accuracy(guessed, wanted);
}

// 1. The hypothesis: one sentence that could turn out to be wrong, such as
//    "Two layers that see everything name 20 % more letters than two that see eight positions."
const char* const hypothesis = "";

// 2. The bar: first() is larger than second() by at least `by`, with at least `seeds` of twenty
// seeds.
const double by = 0;
const int seeds = 0;

// 3. The two ways, for one seed. What they return is a share of strings.
double first(std::uint64_t seed) { return carried({.window = 24}, seed); }
double second(std::uint64_t seed) { return carried({.window = 8}, seed); }
