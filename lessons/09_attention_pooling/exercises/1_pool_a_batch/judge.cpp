#include "lessons/course/exercise/judge.h"

#include <cmath>

#include HEED_ANSWER

void judge(course::Judge& judge) {
    judge.own({"masked_softmax", "soft_attention", "attention_weights", "AttentionPooling",
               "MultiHeadPooling", "masked_softmax_definition"});
    const auto f64 = [](std::vector<double> numbers, const Shape& shape) {
        return tensor(numbers, shape, Dtype::float64);
    };
    const auto scores_of = [](const Tensor& words, const Pooling& p) {
        return sum(tanh(matmul(words, transpose(p.W)) + p.b) * p.q, 2);
    };
    const auto mean_with = [](const Tensor& alpha, const Tensor& values) {
        return sum(unsqueeze(alpha, 2) * values, 1);
    };
    // The example of the lesson: so, the, thunder.
    const Pooling hand{f64({3, 0}, {2}), f64({1, 0, 0, 1}, {2, 2}), f64({0, 0}, {2})};
    const Tensor text = f64({0.5, 0, 0, 0.5, 3, 0}, {1, 3, 2}), all = f64({1, 1, 1}, {1, 3});
    const Tensor e = scores_of(text, hand), alpha = softmax(e, 1);
    const std::string formula = "c = sum_j alpha_j x_j, alpha = softmax of q . tanh(W x_j + b)";
    judge.given({{"words", text}, {"mask", all}});
    judge.equal(
        "so (0.5, 0), the (0, 0.5) and thunder (3, 0): about (2.476, 0.020)",
        [&] { return my_pool(text, all, hand); }, mean_with(alpha, text),
        {.formula = formula,
         .mistakes = {
             {"this is the mean of the keys; the values are the words themselves",
              mean_with(alpha, tanh(text))},
             {"all words have the same weight", mean(text, 1)},
             {"the softmax runs over the documents, not over the words of one", sum(text, 1)},
             {"the tanh is missing", mean_with(softmax(matmul(text, hand.q), 1), text)},
             {"the exponentials are not divided by their sum", mean_with(exp(e), text)},
             {"the words are weighed with the scores, without a softmax", mean_with(e, text)}}});

    Rng rng(1);
    const auto random = [&](const Shape& shape) {
        return normal(shape, 0, 1, rng, Dtype::float64);
    };
    const Pooling p{random({4}), random({4, 3}), random({4})};
    const Tensor words = random({2, 5, 3}), full = ones({2, 5}, Dtype::float64),
                 mask = f64({1, 1, 1, 0, 0, 1, 1, 1, 1, 0}, {2, 5});
    const Tensor scores = scores_of(words, p);
    judge.equal("two random documents of five words, D = 3 and keys of width 4",
                [&] { return my_pool(words, full, p); }, mean_with(softmax(scores, 1), words),
                {.formula = formula,
                 .mistakes = {{"the softmax runs over the documents, not over the words of one",
                               mean_with(softmax(scores, 0), words)}}});
    const Tensor right = softmax(where(mask, scores, -1e9), 1);
    judge.equal(
        "the same with three and four words; the rest is padding",
        [&] { return my_pool(words, mask, p); }, mean_with(right, words),
        {.formula = formula,
         .mistakes = {
             {"the mask comes after the softmax, so the weights of the words do not sum to 1",
              mean_with(softmax(scores, 1) * mask, words)},
             {"the padding is not left out", mean_with(softmax(scores, 1), words)},
             {"a score of 0 is not a weight of 0", mean_with(softmax(scores * mask, 1), words)},
             {"the scores of padding are 0, so it is still in the divisor",
              mean_with(softmax(scores * mask, 1) * mask, words)},
             {"the mask is used the other way about",
              mean_with(softmax(where(1 - mask, scores, -1e9), 1), words)}}});
    const auto with_padding = [&](double number) {
        return my_pool(where(mask_to_dtype(unsqueeze(mask, 2), Dtype::float64), words, number),
                       mask, p);
    };
    judge.equal(
        "padding filled with the number 1000 changes nothing", [&] { return with_padding(1000); },
        mean_with(right, words));
    for (const double number : {static_cast<double>(INFINITY), std::nan("")})
        judge.equal(number > 0 ? "nor does padding filled with infinity"
                               : "nor does padding filled with nan",
                    [&] { return with_padding(number); }, mean_with(right, words),
                    {.formula = "0 times infinity and 0 times nan are nan: a weight of 0 does not "
                                "take padding out of the sum"});
    const Pooling sharp{p.q * 1000., p.W, p.b};
    judge.equal("scores of about 1000: no overflow", [&] { return my_pool(words, mask, sharp); },
                mean_with(softmax(where(mask, scores_of(words, sharp), -1e9), 1), words),
                {.mistakes = {{"exp(1000) is infinite: softmax() subtracts the largest score first",
                               full_like(mean(words, 1), std::nan(""))}}});
    const Tensor one_empty = f64({0, 0, 0, 0, 0, 1, 1, 1, 1, 0}, {2, 5});
    judge.equal("a document without words beside one with four",
                [&] { return my_pool(words, one_empty, p); }, mean_with(right * one_empty, words),
                {.formula = "a document without any word gets zeros",
                 .mistakes = {{"the softmax of equal scores gives equal weights to the padding",
                               mean_with(softmax(where(one_empty, scores, -1e9), 1), words)}}});
    judge.gradient("the gradients of the words, q, W and b",
                   [&](const auto& x) {
                       return my_pool(x[0], mask, {x[1], x[2], x[3]});
                   },
                   {words, p.q, p.W, p.b});
}
