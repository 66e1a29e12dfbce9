#include "lessons/course/exercise/judge.h"

#include HEED_ANSWER

void judge(course::Judge& judge) {
    judge.own({"LanguageModel", "scaled_dot_product_attention", "soft_attention"});
    judge.choice("the broken law", my_broken_law, "pieces",
                 {{"to doubt the mask; its last N rows are the right ones", "causal"},
                  {"to doubt the sum; masked_softmax divides by it", "distribution"},
                  {"to expect a wrong gradient; it is right for the function as it is written",
                   "gradient"}});
    if (judge.verdict() != course::Judge::Verdict::solved) return;
    const auto f64 = [](std::vector<double> numbers, const Shape& shape) {
        return tensor(numbers, shape, Dtype::float64);
    };
    const auto read = [](const Model& model, const std::vector<int>& ids, std::vector<int> sizes) {
        Cache cache;
        std::vector<Tensor> parts;
        std::size_t at = 0;
        for (int n : sizes) {
            const std::vector<int> piece(ids.begin() + at, ids.begin() + at + n);
            parts.push_back(my_read(model, cache, Indices(piece, {n})));
            at += n;
        }
        return concat(parts, 0);
    };
    // Keys and values are 0, so the logits are those of the word and its position: 1 + 10, 2 + 20.
    const Tensor zero = f64({0}, {1, 1});
    const Model plain{f64({1, 2}, {2, 1}), f64({10, 20, 30}, {3, 1}), zero, zero, zero};
    judge.equal(
        "ab at once, without attention: a at position 10 and b at position 20",
        [&] {
            return read(plain, {0, 1}, {2});
        },
        f64({11, 22, 22, 44}, {2, 2}));
    judge.equal("a, then b: the same",
                [&] {
                    return read(plain, {0, 1}, {1, 1});
                },
                f64({11, 22, 22, 44}, {2, 2}),
                {.mistakes = {{"the position of a new character begins at 0 again",
                               f64({11, 22, 12, 24}, {2, 2})},
                              {"the positions are one too far", f64({11, 22, 32, 64}, {2, 2})},
                              {"new characters get no position", f64({11, 22, 2, 4}, {2, 2})}}});
    Rng rng(1);
    const auto random = [&](const Shape& shape) {
        return normal(shape, 0, 1, rng, Dtype::float64);
    };
    const Model model{random({6, 4}), random({9, 4}), random({4, 4}), random({4, 4}),
                      random({4, 4})};
    const std::vector<int> text{3, 1, 4, 1, 5, 0, 2};
    const Tensor x = embedding(model.words, Indices(text, {7})) + slice(model.positions, 0, 0, 7);
    const Tensor scores = matmul(matmul(x, model.query), transpose(matmul(x, model.key))) / 2.;
    const Tensor logits = matmul(
        x + matmul(masked_softmax(scores, causal_mask(7, Dtype::float64)), matmul(x, model.value)),
        transpose(model.words));
    judge.equal(
        "seven characters at once are as they were", [&] { return read(model, text, {7}); },
        logits);
    judge.equal(
        "one after the other",
        [&] {
            return read(model, text, {1, 1, 1, 1, 1, 1, 1});
        },
        logits);
    judge.equal(
        "in pieces of 3, 1 and 3: every piece begins where the last one ended",
        [&] {
            return read(model, text, {3, 1, 3});
        },
        logits);
}
