//! # What does a small GPT need most?
//! Part: The Transformer
//!
//! A GPT learns sums of two digits from examples alone, "3+9=12;" (lesson {language_model}). You
//! say where a few more parameters or steps are best spent: layers, heads, width, the norm before
//! or after, the learning rate. Everything in this file may be changed.
#include "lessons/course/exercise/write.h"

struct Setting {
    std::int64_t layers = 2, width = 32, heads = 4;
    bool pre_norm = true;
    int steps = 250;
    double rate = 5e-3, dropout = 0;
};

constexpr const char* symbols = "0123456789+=;";

// A text of so many symbols: random sums, one after another.
std::vector<int> sums(std::int64_t length, Rng& rng) {
    std::vector<int> ids;
    while (std::ssize(ids) < length) {
        const auto a = rng.below(10), b = rng.below(10);
        for (const char c : fmt::format("{}+{}={};", a, b, a + b))
            ids.push_back(static_cast<int>(std::string_view(symbols).find(c)));
    }
    ids.resize(static_cast<std::size_t>(length));
    return ids;
}

// The mean log-probability of a symbol of new text: the negative of the loss.
double fit(const Setting& setting, std::uint64_t seed) {
    constexpr std::int64_t length = 32, rows = 16;
    Rng rng(seed);
    TransformerOptions stack = gpt({.width = setting.width,
                                    .heads = setting.heads,
                                    .layers = setting.layers,
                                    .max_positions = length});
    stack.pre_norm = setting.pre_norm;
    stack.dropout = setting.dropout;
    const LanguageModel model({.vocabulary = 13, .stack = stack}, rng);
    const auto loss = [&](std::int64_t count, Mode mode) {
        std::vector<int> ids, next;
        for (std::int64_t b = 0; b < count; ++b) {
            const std::vector<int> text = sums(length + 1, rng);
            ids.insert(ids.end(), text.begin(), text.end() - 1);
            next.insert(next.end(), text.begin() + 1, text.end());
        }
        return cross_entropy(model(Indices(ids, {count, length}), mode),
                             Indices(next, {count, length}));
    };
    AdamW adam(parameters(model), {.lr = setting.rate});
    train(
        adam,
        {.steps = setting.steps, .clip_norm = 1, .schedule = schedules::cosine(setting.steps, 0.1)},
        [&](std::int64_t) { return StepResult{loss(rows, Mode::training(rng))}; });
    const NoGrad no_grad;
    return -loss(200, Mode::evaluation()).item();
}

// 1. The hypothesis: one sentence that could turn out to be wrong, such as
//    "With the norm before a sublayer the loss of new text is 0.05 lower than with it after."
const char* const hypothesis = "";

// 2. The bar: first() is larger than second() by at least `by`, with at least `seeds` of twenty
// seeds.
const double by = 0;
const int seeds = 0;

// 3. The two ways, for one seed. What they return is a log-probability: larger is better.
double first(std::uint64_t seed) { return fit({.pre_norm = true}, seed); }
double second(std::uint64_t seed) { return fit({.pre_norm = false}, seed); }
