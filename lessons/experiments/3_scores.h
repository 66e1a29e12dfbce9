//! # Which score finds the key?
//! Part: Soft attention
//!
//! A list holds pairs of a key and a letter. A query, which is a noisy copy of one key, has to find
//! its letter by attention (lesson {scores}). You say which score is better, at which width, and
//! with how much noise. Everything in this file may be changed.
#include "lessons/course/exercise/write.h"

struct Setting {
    ScoreKind score = ScoreKind::scaled_dot;
    std::int64_t width = 16, pairs = 12;
    int steps = 300;
    double rate = 5e-3, noise = 0.7;
};

// The share of 1,000 queries that are answered with the right letter.
double found(const Setting& setting, std::uint64_t seed) {
    constexpr int letters = 8;
    Rng rng(seed);
    const Linear query(setting.width, setting.width, rng), key(setting.width, setting.width, rng);
    AttentionScore score(setting.score,
                         {.query = setting.width, .key = setting.width, .hidden = 16}, rng);
    ParameterList all = parameters(query);
    for (const Parameter& p : parameters(key)) all.push_back(p);
    for (const Parameter& p : parameters(score)) all.push_back(p);

    struct Asked {
        Tensor shares;   // [B, letters], how probable each letter is
        Indices answer;  // [B]
    };
    const auto ask = [&](std::int64_t count) {
        const Tensor keys = normal({count, setting.pairs, setting.width}, 0, 1, rng);
        std::vector<int> wanted, held, answer;
        for (std::int64_t b = 0; b < count; ++b) {
            wanted.push_back(static_cast<int>(rng.below(setting.pairs)));
            for (std::int64_t k = 0; k < setting.pairs; ++k)
                held.push_back(static_cast<int>(rng.below(letters)));
            answer.push_back(held[static_cast<std::size_t>(b * setting.pairs + wanted.back())]);
        }
        const Tensor at = values_at(keys, Indices(wanted, {count, 1}));  // [B, 1, D]
        const Tensor noisy = at + normal_like(at, 0, setting.noise, rng);
        const Tensor values = one_hot(Indices(held, {count, setting.pairs}), letters);
        const Tensor scores = score.of(query(noisy), key(keys));  // [B, 1, K]
        return Asked{squeeze(soft_attention(scores, values).context, 1), Indices(answer)};
    };
    Adam adam(all, {.lr = setting.rate});
    train(adam, {.steps = setting.steps}, [&](std::int64_t) {
        const Asked asked = ask(32);
        return StepResult{nll_loss(log(asked.shares + 1e-6), asked.answer)};
    });
    const NoGrad no_grad;
    const Asked asked = ask(1000);
    return metrics::accuracy(asked.shares, asked.answer);
}

// 1. The hypothesis: one sentence that could turn out to be wrong, such as
//    "After 300 steps a dot product finds 10 % more letters than the additive score."
const char* const hypothesis = "";

// 2. The bar: first() is larger than second() by at least `by`, with at least `seeds` of twenty
// seeds.
const double by = 0;
const int seeds = 0;

// 3. The two ways, for one seed. What they return is a share of queries.
double first(std::uint64_t seed) { return found({.score = ScoreKind::scaled_dot}, seed); }
double second(std::uint64_t seed) { return found({.score = ScoreKind::additive}, seed); }
