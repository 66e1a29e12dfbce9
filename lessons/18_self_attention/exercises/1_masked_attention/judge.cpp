#include "lessons/course/exercise/judge.h"

#include <cmath>

#include "attention/laws/laws.h"

#include HEED_ANSWER

void judge(course::Judge& judge) {
    judge.own({"attend", "soft_attention", "attention_weights", "masked_softmax",
               "masked_softmax_definition", "scaled_dot_product_attention",
               "scaled_dot_product_definition", "plain_attention", "tiled_attention", "MultiHead",
               "SelfAttention", "AttentionScore", "segment_softmax"});
    Rng rng(1);
    const auto d64 = Dtype::float64;
    const Tensor q = tensor({0, 2, 0, 1}, {1, 1, 4}, d64),
                 k = tensor({0, 0, 1, 2, 0, 0, 2, 0, 2, 3, -2, 0}, {1, 3, 4}, d64),
                 v = tensor({1, 0, 0, 1, 2, 3}, {1, 3, 2}, d64),
                 mask = tensor({1, 1, 0}, {1, 1, 3}, d64);
    const Tensor scores = tensor({1, 0, 3}, {1, 1, 3}, d64), all = softmax(scores, -1),
                 right = masked_softmax(scores, mask);
    judge.given({{"query", q}, {"key", k}, {"value", v}});
    judge.equal("the weights of \"old\" without a mask",
                [&] { return my_masked_attention(q, k, v, {}).weights; }, all,
                {.formula = "softmax over j of q_i . k_j / sqrt(D)",
                 .mistakes = {{"the softmax runs over the queries, not over the keys",
                               ones({1, 1, 3}, d64)}}});
    judge.equal(
        "the weights of \"old\" if it may not read \"cat\": 0.731, 0.269, 0",
        [&] { return my_masked_attention(q, k, v, mask).weights; }, right,
        {.formula = "alpha_j = m_j exp(e_j) / sum_l m_l exp(e_l)",
         .mistakes = {
             {"the mask is applied after the softmax, so the weights no longer sum "
              "to 1",
              all * mask},
             {"the mask is the other way round: 1 means allowed", masked_softmax(scores, 1 - mask)},
             {"the scores are multiplied by the mask; a score of 0 is a score like "
              "any other",
              softmax(scores * mask, -1)},
             {"the mask is added to the scores: forbidden keys lose 1 only",
              softmax(scores + mask, -1)},
             {"the mask is not used", all}}});
    judge.equal("its context", [&] { return my_masked_attention(q, k, v, mask).context; },
                matmul(right, v), {.formula = "c = sum_j alpha_j v_j"});

    const Tensor queries = normal({2, 3, 4}, 0, 1, rng, d64),
                 keys = normal({2, 5, 4}, 0, 1, rng, d64),
                 values = normal({2, 5, 6}, 0, 1, rng, d64);
    const Tensor padding = padding_mask({3, 5}, 5), causal = causal_mask(3, 5);
    const Tensor dots = matmul(queries, transpose(keys)) / 2;
    judge.equal(
        "two examples with three and five keys, a mask [2, 1, 5] in float32",
        [&] { return my_masked_attention(queries, keys, values, padding).context; },
        soft_attention(dots, values, padding).context);
    judge.equal(
        "a mask [1, 3, 5], other keys for each query",
        [&] { return my_masked_attention(queries, keys, values, causal).context; },
        soft_attention(dots, values, causal).context);
    const Tensor nothing = padding_mask({0, 5}, 5);
    judge.equal("an example without allowed keys: weights 0, not NaN",
                [&] { return my_masked_attention(queries, keys, values, nothing).weights; },
                attention_weights(dots, nothing),
                {.formula = "where no key is allowed, all weights are 0"});
    judge.equal("scores of a size of 10,000, in float32",
                [&] {
                    return my_masked_attention(to_dtype(queries * 200, Dtype::float32),
                                               to_dtype(keys * 200, Dtype::float32),
                                               to_dtype(values, Dtype::float32), padding)
                        .context;
                },
                to_dtype(soft_attention(dots * 40000, values, padding).context, Dtype::float32),
                {.tolerance = 1e-4});
    const AttentionFunction mine = [](const Tensor& a, const Tensor& b, const Tensor& c,
                                      const Tensor& m) { return my_masked_attention(a, b, c, m); };
    const auto obeys = [&](const laws::Verdict& verdict) {
        judge.holds(
            "the law: " + verdict.law, [&] { return verdict.holds; }, verdict.message);
    };
    if (judge.verdict() != course::Judge::Verdict::solved) return;
    for (const laws::Verdict& verdict : laws::check_all(mine)) obeys(verdict);
    obeys(laws::scaled_dot(mine, 1));
    obeys(laws::scaled(mine));
}
