#include "lessons/course/exercise/judge.h"

#include HEED_ANSWER

void judge(course::Judge& judge) {
    judge.own({"additive_scores", "additive_scores_definition", "AdditiveScore", "AttentionScore",
               "Additive"});
    Rng rng(1);
    const Tensor one = tensor({2, 1}, {1, 2}), three = tensor({1, 0, 0, 1, 1, 1}, {3, 2}),
                 same = eye(2), v = tensor({1., 1.});
    const Tensor sums = one + three;  // [3, 2]
    const auto row = [](const Tensor& scores) { return unsqueeze(scores, 0); };
    judge.given({{"queries", one}, {"keys", three}, {"W", same}, {"U", same}, {"v", v}});
    judge.equal(
        "the query (2, 1) and three keys; the third, (1, 1), has 1.959",
        [&] { return my_additive_scores(one, three, same, same, v); }, row(sum(tanh(sums), 1)),
        {.formula = "v . tanh(W q + U k)",
         .mistakes = {
             {"the tanh is missing", row(sum(sums, 1))},
             {"the tanh is taken of the sum, not of each hidden unit", row(tanh(sum(sums, 1)))},
             {"the tanh is taken of query and key one by one, before they are added",
              row(sum(tanh(one) + tanh(three), 1))},
             {"query and key are multiplied, not added", row(sum(tanh(one * three), 1))},
             {"the scores went through a softmax; they are wanted as they are",
              softmax(row(sum(tanh(sums), 1)))}}});
    const Tensor q = normal({3, 5}, 0, 1, rng), k = normal({4, 2}, 0, 1, rng),
                 W = normal({6, 5}, 0, 1, rng), U = normal({6, 2}, 0, 1, rng),
                 u = normal({6}, 0, 1, rng);
    const auto scores_of = [&](const Tensor& queries, const Tensor& keys) {
        return sum(tanh(unsqueeze(matmul(queries, transpose(W)), 1) +
                        unsqueeze(matmul(keys, transpose(U)), 0)) *
                       u,
                   -1);
    };
    const Tensor expected = scores_of(q, k);
    judge.equal("3 queries of width 5, 4 keys of width 2, 6 hidden units",
                [&] { return my_additive_scores(q, k, W, U, u); }, expected,
                {.tolerance = 1e-5,
                 .formula = "row i, column j: v . tanh(W q_i + U k_j)",
                 .mistakes = {{"rows are keys and columns are queries; it should be the other way",
                               transpose(expected)},
                              {"v is not used", sum(tanh(unsqueeze(matmul(q, transpose(W)), 1) +
                                                         unsqueeze(matmul(k, transpose(U)), 0)),
                                                    -1)}}});
    // Square matrices, where a transposed one fits as well.
    const Tensor p = normal({2, 3}, 0, 1, rng), n = normal({5, 3}, 0, 1, rng),
                 square_w = normal({3, 3}, 0, 1, rng), square_u = normal({3, 3}, 0, 1, rng),
                 w = normal({3}, 0, 1, rng);
    const auto scores = [&](const Tensor& left, const Tensor& right) {
        return sum(tanh(unsqueeze(left, 1) + unsqueeze(right, 0)) * w, -1);
    };
    judge.equal("square matrices", [&] { return my_additive_scores(p, n, square_w, square_u, w); },
                scores(matmul(p, transpose(square_w)), matmul(n, transpose(square_u))),
                {.tolerance = 1e-5,
                 .formula = "W q is the product of a matrix with a column",
                 .mistakes = {{"W and U are transposed: q W in place of W q",
                               scores(matmul(p, square_w), matmul(n, square_u))}}});
    const Tensor batch = normal({2, 3, 5}, 0, 1, rng), sentences = normal({2, 4, 2}, 0, 1, rng);
    std::vector<Tensor> alone;
    for (int b = 0; b < 2; ++b)
        alone.push_back(scores_of(select(batch, 0, b), select(sentences, 0, b)));
    judge.equal("the sentences of a batch: each has scores of its own",
                [&] { return my_additive_scores(batch, sentences, W, U, u); }, stack(alone, 0),
                {.tolerance = 1e-5, .formula = "[B, Q, D] and [B, N, E] give [B, Q, N]"});
    judge.gradient("the gradients of queries, keys, W, U and v",
                   [](const auto& x) { return my_additive_scores(x[0], x[1], x[2], x[3], x[4]); },
                   {q, k, W, U, u});
}
