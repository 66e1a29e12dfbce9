#include "lessons/course/exercise/judge.h"

#include <cmath>

#include HEED_ANSWER

void judge(course::Judge& judge) {
    judge.own({"attend", "soft_attention", "attention_weights", "scaled_dot_product_attention",
               "scaled_dot_product_definition", "plain_attention", "tiled_attention", "MultiHead",
               "SelfAttention", "AttentionScore"});
    Rng rng(1);
    const auto d64 = Dtype::float64;
    const Tensor X = tensor({1, 0, 0, 0, 1, 0, 0, 1, 1}, {3, 3}, d64),
                 W_Q = tensor({2, 0, 0, 0, 2, 0, 0, 0, 2, 1, 1, -1}, {4, 3}, d64),
                 W_K = tensor({0, 0, 2, 0, 0, 3, 1, 2, -4, 2, 0, 0}, {4, 3}, d64),
                 W_V = tensor({1, 0, 2, 0, 1, 2}, {2, 3}, d64);
    const Tensor scores = tensor({1, 0, 2, 1, 0, 3, 1, 2, 1}, {3, 3}, d64),
                 values = tensor({1, 0, 0, 1, 2, 3}, {3, 2}, d64);
    judge.given({{"X", X}, {"W_Q", W_Q}, {"W_K", W_K}, {"W_V", W_V}});
    judge.equal(
        "the weights of \"the\", \"old\" and \"cat\"",
        [&] { return my_attention(X, W_Q, W_K, W_V).weights; }, softmax(scores, -1),
        {.formula = "softmax over j of q_i . k_j / sqrt(D)",
         .mistakes = {
             {"the scores are not divided by the root of the width", softmax(scores * 2, -1)},
             {"the scores are divided by the root of the width of the tokens, not "
              "of the queries",
              softmax(scores * (2 / std::sqrt(3.)), -1)},
             {"queries and keys are exchanged", softmax(transpose(scores), -1)},
             {"the softmax runs over the queries, not over the keys", softmax(scores, 0)},
             {"a token attends to itself and to earlier ones only; here it attends to all",
              tril(exp(scores)) / sum(tril(exp(scores)), -1, true)},
             {"these are the contexts; weights and context are exchanged",
              matmul(softmax(scores, -1), values)},
             {"these are the scores, without a softmax", scores}}});
    judge.equal(
        "their contexts; that of \"old\" is (1.8018, 2.5734)",
        [&] { return my_attention(X, W_Q, W_K, W_V).context; }, matmul(softmax(scores, -1), values),
        {.formula = "c_i = sum_j alpha_ij v_j",
         .mistakes = {{"the tokens are averaged, not their values", matmul(softmax(scores, -1), X)},
                      {"the values are weighed with the transposed weights",
                       matmul(transpose(softmax(scores, -1)), values)}}});

    const Tensor tokens = normal({7, 5}, 0, 1, rng, d64), A = normal({2, 5}, 0, 1, rng, d64),
                 B = normal({2, 5}, 0, 1, rng, d64), C = normal({3, 5}, 0, 1, rng, d64);
    const auto expected = [](const Tensor& x, const Tensor& a, const Tensor& b, const Tensor& c) {
        const Tensor q = linear(x, a);
        return soft_attention(
            matmul(q, transpose(linear(x, b))) / std::sqrt(static_cast<double>(q.size(1))),
            linear(x, c));
    };
    const AttentionOutput right = expected(tokens, A, B, C);
    judge.equal(
        "seven random tokens of width 5, queries of width 2: the weights",
        [&] { return my_attention(tokens, A, B, C).weights; }, right.weights);
    judge.equal(
        "and the contexts, of width 3", [&] { return my_attention(tokens, A, B, C).context; },
        right.context);
    const Tensor alone = normal({1, 5}, 0, 1, rng, d64);
    judge.equal(
        "a single token: its context is its value",
        [&] { return my_attention(alone, A, B, C).context; }, linear(alone, C));
    judge.equal("scores in the thousands",
                [&] { return my_attention(tokens * 40, A, B, C).context; },
                expected(tokens * 40, A, B, C).context,
                {.formula = "softmax(e) does not change if a number is subtracted from all e"});
    judge.gradient("the gradients of the tokens and of the three matrices",
                   [](const auto& x) { return my_attention(x[0], x[1], x[2], x[3]).context; },
                   {tokens, A, B, C});
}
