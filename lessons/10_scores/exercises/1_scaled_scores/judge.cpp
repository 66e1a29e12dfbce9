#include "lessons/course/exercise/judge.h"

#include <cmath>

#include HEED_ANSWER

void judge(course::Judge& judge) {
    judge.own({"attend", "scaled_dot_product_attention", "tiled_attention", "AttentionScore"});
    Rng rng(1);

    // The three words of the lesson, and another number for each as its value.
    const Tensor q = tensor({0., 2.}), keys = tensor({3, 0, 2, 1, 0, 2}, {3, 2}),
                 values = tensor({10, 20, 30}, {3, 1});
    const double root = std::sqrt(2.);
    judge.given({{"q", q}, {"keys", keys}});
    judge.equal(
        "the scores of the three words: 0, 2 and 4, divided by the root of 2",
        [&] { return my_scores(q, keys); }, tensor({0., 2 / root, 4 / root}),
        {.formula = "e_j = q . k_j / sqrt(D)",
         .mistakes = {{"the scores are not divided by the root of the width", tensor({0., 2., 4.})},
                      {"the scores are divided by D, and not by its root", tensor({0., 1., 2.})}}});

    // Sizes that differ, so that a mixed-up axis shows.
    const Tensor query = normal({5}, 0, 1, rng), many = normal({7, 5}, 0, 1, rng),
                 contents = normal({7, 3}, 0, 1, rng);
    const Tensor scores = matmul(many, query) / std::sqrt(5.);
    judge.equal(
        "the scores of seven random keys of width 5", [&] { return my_scores(query, many); },
        scores,
        {.formula = "e_j = q . k_j / sqrt(D)",
         .mistakes = {{"the scores are divided by the root of the number of keys, not of the width",
                       matmul(many, query) / std::sqrt(7.)}}});
    judge.given({{"q", query}, {"keys", many}, {"values", contents}});
    judge.equal(
        "the context of these keys, with values of width 3",
        [&] { return my_context(query, many, contents); }, matmul(softmax(scores), contents),
        {.formula = "c = sum_j alpha_j v_j, alpha = softmax(e)",
         .mistakes = {
             {"the values are weighed with the scores, without a softmax",
              matmul(scores, contents)},
             {"the exponentials are not divided by their sum", matmul(exp(scores), contents)},
             {"all values have the same weight", mean(contents, 0)}}});
    judge.equal(
        "the context of the three words", [&] { return my_context(q, keys, values); },
        matmul(softmax(tensor({0., 2 / root, 4 / root})), values));
    judge.gradient("the gradients of query, keys and values",
                   [](const auto& x) { return my_context(x[0], x[1], x[2]); },
                   {query, many, contents});
}
