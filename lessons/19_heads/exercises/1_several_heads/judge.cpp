#include "lessons/course/exercise/judge.h"

#include <cmath>

#include "attention/laws/laws.h"

#include HEED_ANSWER

void judge(course::Judge& judge) {
    judge.own({"attend", "soft_attention", "attention_weights", "scaled_dot_product_attention",
               "scaled_dot_product_definition", "plain_attention", "tiled_attention", "MultiHead",
               "SelfAttention", "split_heads", "AttentionScore"});
    Rng rng(1);
    const auto d64 = Dtype::float64;
    const Tensor two = tensor({1, 2, 3, 4, 5, 6, 7, 8}, {1, 2, 4}, d64);
    judge.given({{"x", two}});
    judge.equal("the tokens (1, 2, 3, 4) and (5, 6, 7, 8) for two heads",
                [&] { return my_split(two, 2); },
                tensor({1, 2, 5, 6, 3, 4, 7, 8}, {1, 2, 2, 2}, d64),
                {.formula = "head h gets the columns h D/H to (h + 1) D/H - 1 of every token",
                 .mistakes = {{"reshape alone gives each head whole tokens, not a piece of every "
                               "token",
                               reshape(two, {1, 2, 2, 2})},
                              {"head h gets every second number; its columns stand side by side",
                               tensor({1, 3, 5, 7, 2, 4, 6, 8}, {1, 2, 2, 2}, d64)}}});
    const auto columns = [](const Tensor& x, int64_t H) { return stack(chunk(x, H, 2), 1); };
    const Tensor x = normal({2, 5, 12}, 0, 1, rng, d64);
    judge.equal(
        "two texts of five tokens of width 12, three heads", [&] { return my_split(x, 3); },
        columns(x, 3),
        {.mistakes = {{"the axes are mixed up: [B, T, H, D / H] is expected as [B, H, T, D / H]",
                       reshape(x, {2, 5, 3, 4})}}});
    judge.equal(
        "one head", [&] { return my_split(x, 1); }, columns(x, 1));
    judge.equal("merged again, they are the same tokens", [&] { return my_merge(columns(x, 3)); },
                x,
                {.formula = "exchange the axes of heads and tokens first, then join the last two",
                 .mistakes = {{"reshape alone puts numbers of several tokens into one",
                               reshape(columns(x, 3), {2, 5, 12})}}});

    // The example of the lesson: Ada helped Ben.
    const Tensor q = tensor({4, 0, 0, 4}, {1, 1, 4}, d64),
                 k = tensor({1, 0, 1, 0, 0, 1, 0, 1}, {1, 2, 4}, d64);
    const double root = std::sqrt(2.);
    const Tensor right = softmax(tensor({4 / root, 0, 0, 4 / root}, {1, 2, 1, 2}, d64), -1);
    judge.given({{"q", q}, {"k", k}, {"v", k}});
    judge.equal(
        "Ada helped Ben: the weights of the two heads, 0.944 and 0.056, and the other way round",
        [&] { return my_heads(q, k, k, 2).weights; }, right,
        {.formula = "softmax(Q_h K_h^T / sqrt(D / H))",
         .mistakes = {
             {"the scores are divided by the root of D, not of the width of a head",
              softmax(tensor({2, 0, 0, 2}, {1, 2, 1, 2}, d64), -1)},
             {"the softmax runs over the queries, not over the keys", ones({1, 2, 1, 2}, d64)},
             {"the scores are not divided by the root of the width of a head",
              softmax(tensor({4, 0, 0, 4}, {1, 2, 1, 2}, d64), -1)}}});
    judge.equal(
        "and the context: (0.944, 0.056, 0.056, 0.944)",
        [&] { return my_heads(q, k, k, 2).context; }, reshape(right, {1, 1, 4}));
    const Tensor queries = normal({2, 4, 12}, 0, 1, rng, d64),
                 keys = normal({2, 5, 12}, 0, 1, rng, d64),
                 values = normal({2, 5, 12}, 0, 1, rng, d64);
    const AttentionOutput library =
        scaled_dot_product_definition(columns(queries, 3), columns(keys, 3), columns(values, 3));
    judge.equal(
        "four queries, five keys, three heads: the weights",
        [&] { return my_heads(queries, keys, values, 3).weights; }, library.weights);
    judge.equal(
        "and the contexts, side by side",
        [&] { return my_heads(queries, keys, values, 3).context; },
        concat({select(library.context, 1, 0), select(library.context, 1, 1),
                select(library.context, 1, 2)},
               2));
    judge.gradient("the gradients of queries, keys and values",
                   [](const auto& in) { return my_heads(in[0], in[1], in[2], 3).context; },
                   {queries, keys, values});
    // A head uses its own columns and no others.
    const AttentionFunction mine = [](const Tensor& a, const Tensor& b, const Tensor& c,
                                      const Tensor&) { return my_heads(a, b, c, 2); };
    const laws::Sizes sizes{.query_width = 6, .key_width = 6, .value_width = 6};
    if (judge.verdict() != course::Judge::Verdict::solved) return;
    const laws::Verdict verdict = laws::heads_apart(mine, 2, sizes);
    judge.holds(
        "the law: " + verdict.law, [&] { return verdict.holds; }, verdict.message);
}
