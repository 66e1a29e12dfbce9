#include "lessons/course/exercise/judge.h"

#include <cmath>

#include HEED_ANSWER

void judge(course::Judge& judge) {
    judge.own({"attend", "soft_attention", "attention_weights", "masked_softmax",
               "masked_softmax_definition", "scaled_dot_product_attention",
               "scaled_dot_product_definition", "plain_attention", "tiled_attention"});
    Rng rng(1);
    const auto d64 = Dtype::float64;
    const double e = std::exp(1), total = e + 1 + std::exp(3);
    judge.number(
        "the scores 1, 0, 3 with two allowed keys: about a sixth",
        [] {
            return my_sum({1, 0, 3}, 2);
        },
        (e + 1) / total,
        {.formula = "the allowed exponentials over the sum of all exponentials",
         .mistakes = {{"this is the sum for a right mask; the broken version has less", 1},
                      {"this is the weight of the forbidden key", std::exp(3) / total},
                      {"the sum of the exponentials is not divided by that of all keys", e + 1}}});
    judge.number(
        "four equal scores with one allowed key",
        [] {
            return my_sum({2, 2, 2, 2}, 1);
        },
        0.25);
    judge.number(
        "all keys are allowed",
        [] {
            return my_sum({5, -1}, 2);
        },
        1);
    judge.choice(
        "the influence of a forbidden key", my_influence, "it shrinks",
        {{"its own weight is 0, but its score is in the sum that all weights are divided by",
          "nothing"},
         {"a larger sum in the denominator makes all other weights smaller, not larger",
          "it grows"}});
    const Tensor q = tensor({2, 0, 0, 1, 0, 2, 0, 1, 0, 2, 2, 0}, {3, 4}, d64),
                 k = tensor({0, 0, 1, 2, 0, 0, 2, 0, 2, 3, -2, 0}, {3, 4}, d64),
                 v = tensor({1, 0, 0, 1, 2, 3}, {3, 2}, d64), mask = tril(ones({3, 3}, d64));
    const Tensor scores = tensor({1, 0, 2, 1, 0, 3, 1, 2, 1}, {3, 3}, d64);
    judge.given({{"query", q}, {"key", k}, {"value", v}, {"mask", mask}});
    judge.equal(
        "the weights of \"the old cat\" with a causal mask",
        [&] { return my_attention(q, k, v, mask).weights; }, masked_softmax(scores, mask),
        {.formula = "alpha_ij = m_ij exp(e_ij) / sum_l m_il exp(e_il)",
         .mistakes = {{"the mask still comes after the softmax", softmax(scores, -1) * mask},
                      {"the mask is not used", softmax(scores, -1)},
                      {"scores that are multiplied by the mask become 0, and exp(0) is 1",
                       softmax(scores * mask, -1)},
                      {"the allowed keys are left out, not the forbidden ones",
                       masked_softmax(scores, 1 - mask)}}});
    judge.equal(
        "their contexts", [&] { return my_attention(q, k, v, mask).context; },
        matmul(masked_softmax(scores, mask), v));
    const Tensor Q = normal({4, 5}, 0, 1, rng, d64), K = normal({6, 5}, 0, 1, rng, d64),
                 V = normal({6, 2}, 0, 1, rng, d64), M = tril(ones({4, 6}, d64), 2);
    const Tensor right = masked_softmax(matmul(Q, transpose(K)) / std::sqrt(5.), M);
    judge.equal(
        "four queries and six keys", [&] { return my_attention(Q, K, V, M).context; },
        matmul(right, V));
    // Large numbers in the last key, which only the last query may read.
    const Tensor large = concat({slice(K, 0, 0, 5), slice(K, 0, 5, 6) * 10000}, 0);
    const Tensor closed = tensor({1, 1, 1, 1, 1, 0}, {1, 6}, d64) * ones({4, 6}, d64);
    judge.equal("a forbidden key with numbers in the thousands changes no context",
                [&] { return my_attention(Q, large, V, closed).context; },
                matmul(masked_softmax(matmul(Q, transpose(K)) / std::sqrt(5.), closed), V),
                {.formula = "forbidden scores are replaced before the softmax"});
    judge.gradient("the gradients of queries, keys and values",
                   [&](const auto& x) { return my_attention(x[0], x[1], x[2], M).context; },
                   {Q, K, V});
}
