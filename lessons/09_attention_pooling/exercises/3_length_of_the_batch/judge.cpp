#include "lessons/course/exercise/judge.h"

#include <cmath>

#include HEED_ANSWER

void judge(course::Judge& judge) {
    judge.own({"masked_softmax", "soft_attention", "attention_weights", "AttentionPooling"});
    judge.choice(
        "the broken law", my_broken_law, "padding",
        {{"to doubt the sum; softmax divides by it, and at padding there is a 0 before and after",
          "distribution"},
         {"to look at what stands at padding; its scores are replaced before the softmax",
          "masked words"},
         {"to look for an index in the formula; every word is treated in the same way", "order"}});
    Rng rng(4);
    const auto random = [&](const Shape& shape) {
        return normal(shape, 0, 1, rng, Dtype::float64);
    };
    const Pooling p{random({4}) * 2., random({4, 3}), random({4})};
    const Tensor words = random({2, 6, 3});
    const Tensor mask = tensor({1, 1, 1, 0, 0, 0, 1, 1, 1, 1, 1, 0}, {2, 6}, Dtype::float64);
    const auto right = [&](const Tensor& x, const Tensor& m, double divisor = 1) {
        const Tensor e = sum(tanh(matmul(x, transpose(p.W)) + p.b) * p.q, 2) / divisor;
        return softmax(where(m, e, -1e9), 1) * m;
    };
    const std::string formula = "alpha = softmax over the words of q . tanh(W x_j + b)";
    const Tensor three = slice(slice(words, 0, 0, 1), 1, 0, 3), all = ones({1, 3}, Dtype::float64);
    const Tensor alone = right(three, all);
    judge.given({{"words", three}, {"mask", all}});
    judge.equal(
        "a document of three words alone", [&] { return my_weights(three, all, p); }, alone,
        {.formula = formula,
         .mistakes = {{"a score that depends on the number of words is not the score of "
                       "the lesson",
                       right(three, all, std::sqrt(3.))},
                      {"the scores are divided by the root of a width; the lesson does not "
                       "divide",
                       right(three, all, 2)},
                      {"the scores are divided by the number of words", right(three, all, 3)}}});
    judge.equal("the same document in a batch, padded to six positions",
                [&] { return slice(slice(my_weights(words, mask, p), 0, 0, 1), 1, 0, 3); }, alone,
                {.formula = formula,
                 .mistakes = {{"the padding still changes the weights of the words",
                               slice(slice(right(words, mask, std::sqrt(6.)), 0, 0, 1), 1, 0, 3)},
                              {"the padding is not left out of the softmax",
                               slice(slice(right(words, ones_like(mask)), 0, 0, 1), 1, 0, 3)}}});
    judge.equal("both documents of the batch", [&] { return my_weights(words, mask, p); },
                right(words, mask), {.formula = formula});
    judge.equal(
        "the sums of the weights", [&] { return sum(my_weights(words, mask, p), 1); },
        ones({2}, Dtype::float64));
    judge.equal(
        "other numbers at padding",
        [&] { return my_weights(words + unsqueeze(1 - mask, 2) * 50., mask, p); },
        right(words, mask));
    judge.gradient("the gradients of the words and of q, W and b",
                   [&](const auto& x) {
                       return my_weights(x[0], mask, {x[1], x[2], x[3]});
                   },
                   {words, p.q, p.W, p.b});
}
