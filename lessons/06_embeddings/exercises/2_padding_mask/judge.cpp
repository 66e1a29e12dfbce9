#include "lessons/course/exercise/judge.h"

#include <cmath>

#include HEED_ANSWER

void judge(course::Judge& judge) {
    judge.own({"not_equal", "equal", "greater", "padding_mask", "masked_fill", "segment_sum"});
    Rng rng(1);
    const Indices ids({7, 4, 9, 0, 0, 5, 3, 8, 2, 6, 1, 1, 0, 0, 0}, {3, 5});
    const Tensor mask = not_equal(ids, 0);
    judge.equal("the mask of sentences with 3, 5 and 2 words", [&] { return my_mask(ids); }, mask,
                {.formula = "1 at words, 0 at padding",
                 .mistakes = {{"the mask is 1 at padding and 0 at words", 1 - mask}}});

    // Two words of width 2, (1, 2) and (3, 6), and three entries of padding, (9, 9).
    const auto f64 = [](std::vector<double> numbers, const Shape& shape) {
        return tensor(numbers, shape, Dtype::float64);
    };
    const Tensor one = f64({1, 2, 3, 6, 9, 9, 9, 9, 9, 9}, {1, 5, 2}),
                 of_one = f64({1, 1, 0, 0, 0}, {1, 5});
    judge.given({{"vectors", one}, {"mask", of_one}});
    judge.equal(
        "the words (1, 2) and (3, 6), and three vectors of padding: (2, 4)",
        [&] { return my_mean(one, of_one); }, f64({2, 4}, {1, 2}),
        {.formula = "the sum over the words, divided by the number of words",
         .mistakes = {
             {"the padding is not left out", f64({6.2, 7}, {1, 2})},
             {"the sum is divided by all positions, words and padding", f64({0.8, 1.6}, {1, 2})},
             {"the sum is not divided by the number of words", f64({4, 8}, {1, 2})},
             {"the divisor counts words, but the sum has the padding in it",
              f64({15.5, 17.5}, {1, 2})},
             {"the mask is used the other way about", f64({9, 9}, {1, 2})}}});
    const Tensor vectors = normal({3, 5, 4}, 0, 1, rng, Dtype::float64),
                 m = to_dtype(mask, Dtype::float64);
    const Tensor summed = sum(unsqueeze(m, 2) * vectors, 1);
    judge.equal(
        "a batch of three sentences", [&] { return my_mean(vectors, m); }, summed / sum(m, 1, true),
        {.formula = "each sentence is divided by the number of its own words",
         .mistakes = {
             {"every sentence is divided by the words of the whole batch", summed / sum(m)},
             {"every sentence is divided by the mean number of words", summed / (sum(m) / 3.)},
             {"the sum is divided by all positions, words and padding", summed / 5.}}});
    judge.holds(
        "a sentence alone and in the batch",
        [&] {
            const int64_t words[] = {3, 5, 2};
            const Tensor batch = my_mean(vectors, m);
            for (int b : {0, 1, 2}) {
                const Tensor alone = my_mean(slice(slice(vectors, 0, b, b + 1), 1, 0, words[b]),
                                             ones({1, words[b]}, Dtype::float64));
                if (max(abs(alone - slice(batch, 0, b, b + 1))).item() > 1e-12) return false;
            }
            return true;
        },
        "A sentence gets another vector when longer sentences stand in the batch.");
    judge.equal(
        "a sentence without words beside one with a word",
        [&] {
            return my_mean(f64({9, 9, 9, 9, 3, 5, 9, 9}, {2, 2, 2}), f64({0, 0, 1, 0}, {2, 2}));
        },
        f64({0, 0, 3, 5}, {2, 2}),
        {.formula = "a sentence without any word gets zeros",
         .mistakes = {{"0 is divided by 0", f64({std::nan(""), std::nan(""), 3, 5}, {2, 2})}}});
    judge.equal(
        "a sentence of forty words, all (1, -3): their mean is the same",
        [&] {
            return my_mean(ones({1, 40, 2}, Dtype::float64) * f64({1, -3}, {2}),
                           ones({1, 40}, Dtype::float64));
        },
        f64({1, -3}, {1, 2}),
        {.formula = "the sum over the words, divided by the number of words, however many"});
    judge.equal("a single word: no other number is added to the divisor",
                [&] {
                    return my_mean(f64({3, 5, 9, 9}, {1, 2, 2}), f64({1, 0}, {1, 2}));
                },
                f64({3, 5}, {1, 2}), {.tolerance = 1e-9});
    judge.equal(
        "padding receives no gradient",
        [&] {
            Tensor leaf = copy_of(vectors).set_requires_grad();
            const Tensor g = grad(sum(square(my_mean(leaf, m)) * 3.), {leaf})[0];
            return sum(abs(g) * unsqueeze(1 - m, 2));
        },
        scalar(0, Dtype::float64));
    judge.gradient("the gradient of the vectors", [&](const auto& x) { return my_mean(x[0], m); },
                   {vectors});
}
