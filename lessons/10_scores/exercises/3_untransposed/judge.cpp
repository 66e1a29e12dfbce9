#include "lessons/course/exercise/judge.h"

#include <cmath>

#include "attention/laws/laws.h"

#include HEED_ANSWER

void judge(course::Judge& judge) {
    judge.own({"attend", "scaled_dot_product_attention", "tiled_attention", "AttentionScore",
               "ScaledDotScore"});
    judge.choice(
        "the broken law", my_broken_law, "permutation",
        {{"to doubt the sum; soft_attention divides each row by it, whatever the scores are",
          "distribution"},
         {"to expect that reshape mixes the examples; their axis stays as it is", "batch rows"},
         {"to expect a wrong gradient; it is right for the function as it is written",
          "gradient"}});
    // The three words of the lesson, and a query for which no two scores are equal.
    const Tensor query = tensor({2, 1}, {1, 1, 2}), keys = tensor({3, 0, 2, 1, 0, 2}, {1, 3, 2}),
                 values = tensor({10, 20, 30}, {1, 3, 1});
    const Tensor scores = tensor({6, 5, 2}, {1, 1, 3});
    judge.given({{"query", query}, {"key", keys}, {"value", values}});
    judge.equal(
        "the weights of the three words for the query (2, 1)",
        [&] { return my_attention(query, keys, values, Tensor()).weights; },
        softmax(scores / std::sqrt(2.)),
        {.formula = "softmax of q . k_j / sqrt(D)",
         .mistakes = {{"reshape does not transpose: numbers of several keys stand in one column",
                       softmax(tensor({7, 0, 6}, {1, 1, 3}) / std::sqrt(2.))},
                      {"the scores are not divided by the root of the width", softmax(scores)}}});
    const AttentionFunction mine = my_attention;
    const auto obeys = [&](const laws::Verdict& verdict) {
        judge.holds(
            "the law: " + verdict.law, [&] { return verdict.holds; }, verdict.message);
    };
    if (judge.verdict() != course::Judge::Verdict::solved) return;
    for (const laws::Verdict& verdict : laws::check_all(mine)) obeys(verdict);
    obeys(laws::scaled(mine));
}
