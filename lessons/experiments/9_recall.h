//! # Can a state replace the cache?
//! Part: Attention today
//!
//! A network reads pairs of a key and a value and is then asked for the value of one key. Attention
//! can look at all pairs again; a recurrent network has only its state (lesson {states}). You say
//! with how many pairs, or with how wide a state, which of the two recalls more. Everything in this
//! file may be changed.
#include "lessons/course/exercise/write.h"

struct Setting {
    bool attends = true;  // otherwise a GRU reads the pairs
    std::int64_t pairs = 8, width = 32;
    int steps = 600;
    double rate = 5e-3;
};

// The share of 400 new questions that are answered right.
double recalled(const Setting& setting, std::uint64_t seed) {
    constexpr int keys = 32, values = 8;
    Rng rng(seed);
    const Embedding key_of(keys, setting.width, rng), value_of(values + 1, setting.width, rng);
    const TransformerEncoder attention({.width = setting.width,
                                        .heads = 2,
                                        .layers = 1,
                                        .hidden = 2 * setting.width,
                                        .pre_norm = true},
                                       rng);
    const Recurrent memory(CellKind::gru, setting.width, setting.width, {}, rng);
    const Linear output(setting.width, values, rng);
    ParameterList all = parameters(key_of);
    for (const ParameterList& more : {parameters(value_of), parameters(output),
                                      setting.attends ? parameters(attention) : parameters(memory)})
        all.insert(all.end(), more.begin(), more.end());
    // The last token of each row is a key whose value is missing; it is that of an earlier pair.
    const auto logits = [&](std::int64_t count, Indices& wanted) {
        std::vector<int> key, value, answers;
        for (std::int64_t b = 0; b < count; ++b) {
            std::vector<int> drawn(keys);
            for (int k = 0; k < keys; ++k) drawn[static_cast<std::size_t>(k)] = k;
            rng.shuffle(drawn);
            const std::size_t asked =
                key.size() + static_cast<std::size_t>(rng.below(setting.pairs));
            for (std::int64_t t = 0; t < setting.pairs; ++t) {
                key.push_back(drawn[static_cast<std::size_t>(t)]);
                value.push_back(static_cast<int>(rng.below(values)));
            }
            key.push_back(key[asked]), value.push_back(values);
            answers.push_back(value[asked]);
        }
        wanted = Indices(answers);
        const std::int64_t length = setting.pairs + 1;
        const Tensor x =
            key_of(Indices(key, {count, length})) + value_of(Indices(value, {count, length}));
        return output(setting.attends ? select(attention(x, {}), 1, setting.pairs)
                                      : memory(x).states.back().hidden);
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
//    "Attention answers 30 % more questions than a GRU that is twice as wide."
const char* const hypothesis = "";

// 2. The bar: first() is larger than second() by at least `by`, with at least `seeds` of twenty
// seeds.
const double by = 0;
const int seeds = 0;

// 3. The two ways, for one seed. What they return is a share of questions.
double first(std::uint64_t seed) { return recalled({.attends = true}, seed); }
double second(std::uint64_t seed) { return recalled({.attends = false, .width = 64}, seed); }
