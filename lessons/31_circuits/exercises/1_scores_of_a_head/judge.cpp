#include "lessons/course/exercise/judge.h"

#include HEED_ANSWER

void judge(course::Judge& judge) {
    const auto d64 = Dtype::float64;
    const Tensor small = tensor({1, 0, 0, 0.6, 0.4, 0, 0.1, 0.7, 0.2}, {3, 3}, d64);
    judge.given({{"weights", small}});
    judge.number(
        "a b a: the mean weight on the token before", [&] { return my_before(small); }, 0.65,
        {.formula = "(0.6 + 0.7) / 2: the first token has none before it",
         .mistakes = {
             {"the mean is over T - 1 tokens, since the first has none before it", 1.3 / 3},
             {"this is the weight on the token itself", 0.3},
             {"rows are queries; this takes them for keys", 0}}});
    const Indices aba({0, 1, 0}, {3});
    judge.number(
        "a b a: the weight after the earlier a", [&] { return my_after(small, aba); }, 0.7,
        {.formula = "only the last token has occurred before; b followed it",
         .mistakes = {
             {"this is the weight on the earlier occurrence itself; what followed it is one "
              "further",
              0.1},
             {"only tokens that have occurred before count", 0.7 / 3}}});
    judge.number(
        "a b c: no token twice",
        [&] {
            return my_after(small, Indices({0, 1, 2}, {3}));
        },
        0);
    // Text "a b a a": the third has one earlier occurrence, the fourth has two.
    const Tensor four =
        tensor({1, 0, 0, 0, 0.5, 0.5, 0, 0, 0.1, 0.7, 0.2, 0, 0.05, 0.25, 0.3, 0.4}, {4, 4}, d64);
    judge.number(
        "a b a a: the last a has occurred twice",
        [&] {
            return my_after(four, Indices({0, 1, 0, 0}, {4}));
        },
        (0.7 + 0.25 + 0.4) / 2,
        {.formula = "(0.7 + (0.25 + 0.4)) / 2",
         .mistakes = {
             {"all earlier occurrences count, not only the last one", (0.7 + 0.4) / 2},
             {"all earlier occurrences count, not only the first one", (0.7 + 0.25) / 2},
             {"the mean is over tokens, not over pairs of tokens", (0.7 + 0.25 + 0.4) / 3}}});
    Rng rng(3);
    const int64_t T = 12;
    const Tensor weights = masked_softmax(normal({T, T}, 0, 1, rng, d64), causal_mask(T, d64));
    std::vector<int> text;
    for (int64_t i = 0; i < T; ++i) text.push_back(static_cast<int>(rng.below(4)));
    double before = 0, after = 0, tokens = 0;
    for (int64_t i = 1; i < T; ++i) {
        before += weights.at({i, i - 1}) / static_cast<double>(T - 1);
        double found = 0;
        int times = 0;
        for (int64_t j = 0; j < i; ++j)
            if (text[static_cast<std::size_t>(j)] == text[static_cast<std::size_t>(i)])
                found += weights.at({i, j + 1}), ++times;
        if (times > 0) after += found, ++tokens;
    }
    judge.number(
        "twelve random tokens: before", [&] { return my_before(weights); }, before);
    judge.number(
        "twelve random tokens: after", [&] { return my_after(weights, Indices(text, {T})); },
        after / tokens);
}
