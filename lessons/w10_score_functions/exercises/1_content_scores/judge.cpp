#include "lessons/course/exercise/judge.h"

#include <cmath>

#include HEED_ANSWER

void judge(course::Judge& judge) {
    judge.own({"ContentScore", "AttentionScore", "cosine_similarity"});
    const std::string formula = "beta * q . k / (|q| |k|)";
    const auto length = [](const Tensor& x) { return sqrt(sum(square(x), 1, true)); };
    const auto cosines = [&](const Tensor& q, const Tensor& k) {
        return matmul(q / length(q), transpose(k / length(k)));
    };

    // Orange and the three colours of the workshop.
    const Tensor orange = tensor({2, 1}, {1, 2}), colours = tensor({1, 0, 0, 1, 1, 1}, {3, 2});
    judge.given({{"queries", orange}, {"keys", colours}});
    judge.equal("orange and the three colours, beta = 3; yellow has 2.846",
                [&] { return my_content_scores(orange, colours, 3); }, 3 * cosines(orange, colours),
                {.formula = formula,
                 .mistakes = {{"beta is missing", cosines(orange, colours)},
                              {"the length of the query was forgotten",
                               3 * matmul(orange, transpose(colours / length(colours)))},
                              {"the length of the key was forgotten",
                               3 * matmul(orange / length(orange), transpose(colours))},
                              {"divided by the squared lengths, without the root",
                               3 * matmul(orange / square(length(orange)),
                                          transpose(colours / square(length(colours))))}}});

    Rng rng(1);
    const Tensor q = normal({3, 5}, 0, 1, rng), k = normal({4, 5}, 0, 2, rng);
    judge.equal("three queries and four keys of width 5",
                [&] { return my_content_scores(q, k, 0.7); }, 0.7 * cosines(q, k),
                {.formula = formula,
                 .mistakes = {{"rows are keys and columns are queries; it should be the other way",
                               0.7 * cosines(k, q)}}});
    judge.equal(
        "keys that are ten times as long", [&] { return my_content_scores(q, 10 * k, 0.7); },
        0.7 * cosines(q, k));
    const Tensor padded = concat({k, zeros({1, 5})}, 0);
    judge.equal("a key of zeros has the score 0", [&] { return my_content_scores(q, padded, 0.7); },
                concat({0.7 * cosines(q, k), zeros({3, 1})}, 1),
                {.formula = formula + ", and 0 for a key of zeros",
                 .mistakes = {{"0 is divided by 0 for a key of zeros",
                               concat({0.7 * cosines(q, k), full({3, 1}, std::nan(""))}, 1)}}});
    judge.gradient("the gradients of queries and keys",
                   [](const auto& x) { return my_content_scores(x[0], x[1], 0.7); }, {q, k});
}
