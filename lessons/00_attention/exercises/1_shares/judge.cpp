#include "lessons/course/exercise/judge.h"

#include <cmath>

#include HEED_ANSWER

void judge(course::Judge& judge) {
    judge.own({"attend", "soft_attention", "attention_weights", "scaled_dot_product_attention",
               "scaled_dot_product_definition"});
    Rng rng(1);
    const auto d64 = Dtype::float64;
    const Tensor q = tensor({0, 2}, {1, 2}, d64), W = tensor({3, 0, 2, 1, 0, 2}, {3, 2}, d64);
    const Tensor scores = tensor({0, 2, 4}, {1, 3}, d64);
    judge.given({{"q", q}, {"W", W}});
    judge.equal(
        "the query and the three words of the lesson", [&] { return my_attention(q, W); },
        matmul(softmax(scores), W),
        {.formula = "sum_j alpha_j w_j",
         .mistakes = {
             {"the scores are used as weights", matmul(scores, W)},
             {"every word counts the same", mean(W, 0, true)},
             {"the scores are divided by their sum, without e to the power of them",
              matmul(scores / 6.0, W)},
             {"the softmax runs over another axis than the words, so each weight is 1",
              sum(W, 0, true)},
             {"the scores are divided by the root of the width; here they stay as they are",
              matmul(softmax(scores / std::sqrt(2.)), W)},
             {"the sign of the scores is turned, so the least similar word has the most",
              matmul(softmax(-scores), W)},
             {"only the word with the highest score is taken, or the query is returned, which "
              "here are the same two numbers",
              slice(W, 0, 2, 3)},
             {"these are the weights, not the mean", softmax(scores)}}});
    const Tensor many = normal({9, 4}, 0, 1, rng, d64), asks = normal({1, 4}, 0, 1, rng, d64);
    const auto right = [](const Tensor& a, const Tensor& b) {
        return matmul(softmax(matmul(a, transpose(b))), b);
    };
    judge.equal(
        "nine random words of four numbers", [&] { return my_attention(asks, many); },
        right(asks, many));
    judge.equal(
        "a query of zeros: the plain mean", [&] { return my_attention(asks * 0.0, many); },
        mean(many, 0, true));
    judge.equal("a very long query: the best word alone",
                [&] { return my_attention(asks * 1000.0, many); }, right(asks * 1000.0, many),
                {.formula = "softmax(e) does not change if a number is subtracted from all e"});
    judge.gradient("the gradients of the query and of the words",
                   [](const auto& x) { return my_attention(x[0], x[1]); }, {asks, many});
}
