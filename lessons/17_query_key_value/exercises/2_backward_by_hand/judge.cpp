#include "lessons/course/exercise/judge.h"

#include <cmath>
#include <vector>

#include HEED_ANSWER

void judge(course::Judge& judge) {
    judge.own({"grad", "backward", "vjp", "jvp", "jacobian", "soft_attention", "attend",
               "scaled_dot_product_attention", "scaled_dot_product_definition", "plain_attention",
               "tiled_attention", "checkpoint"});
    Rng rng(1);
    const auto d64 = Dtype::float64;
    const auto column = [&](std::vector<double> numbers) {
        const auto rows = static_cast<int64_t>(numbers.size());
        return tensor(numbers, {rows, 1}, d64);
    };
    const Tensor q = column({0}), k = column({1, 3}), v = column({0, 4}), g = column({1}),
                 halves = tensor({0.5, 0.5}, {1, 2}, d64);
    judge.given({{"Q", q}, {"K", k}, {"V", v}, {"A", halves}, {"G", g}});
    judge.equal("the values on paper: 1/2 and 1/2",
                [&] { return my_backward(q, k, v, halves, g).value; }, column({0.5, 0.5}),
                {.formula = "C = A V, so the gradient of V is A^T G",
                 .mistakes = {{"the gradient G is returned as it is", column({1, 1})}}});
    judge.equal(
        "the query on paper: 2", [&] { return my_backward(q, k, v, halves, g).query; }, column({2}),
        {.formula = "scores: alpha_j (g_j - sum_l alpha_l g_l); query: sum over the keys",
         .mistakes = {{"the mean is not subtracted in the gradient of the softmax", column({6})},
                      {"the plain mean is subtracted, and there is no factor alpha", column({4})},
                      {"the factor alpha of the softmax is missing", column({4})},
                      {"the softmax is left out of the way back", column({12})}}});
    judge.equal("the keys on paper: 0 and 0, because the query is 0",
                [&] { return my_backward(q, k, v, halves, g).key; }, column({0, 0}),
                {.formula = "the gradient of K is (gradient of S)^T Q"});

    const Tensor Q = normal({3, 4}, 0, 1, rng, d64), K = normal({5, 4}, 0, 1, rng, d64),
                 V = normal({5, 2}, 0, 1, rng, d64), G = normal({3, 2}, 0, 1, rng, d64);
    const auto truth = [](const Tensor& a, const Tensor& b, const Tensor& c,
                          const Tensor& arrives) {
        std::vector<Tensor> x{clone(a), clone(b), clone(c)};
        for (Tensor& one : x) one.set_requires_grad(true);
        const Tensor scores =
            matmul(x[0], transpose(x[1])) / std::sqrt(static_cast<double>(a.size(1)));
        return grad(sum(matmul(softmax(scores, -1), x[2]) * arrives), x);
    };
    const auto weights_of = [](const Tensor& a, const Tensor& b) {
        return softmax(matmul(a, transpose(b)) / std::sqrt(static_cast<double>(a.size(-1))), -1);
    };
    const std::vector<Tensor> right = truth(Q, K, V, G);
    const Tensor A = weights_of(Q, K), dA = matmul(G, transpose(V));
    judge.equal("three queries and five keys of width 4: the gradient of the values",
                [&] { return my_backward(Q, K, V, A, G).value; }, right[2], {.formula = "A^T G"});
    const Tensor dS = A * (dA - sum(A * dA, -1, true));
    judge.equal(
        "the gradient of the queries", [&] { return my_backward(Q, K, V, A, G).query; }, right[0],
        {.mistakes = {{"the root is forgotten on the way back: S is divided by it, and so is "
                       "its gradient",
                       matmul(dS, K)},
                      {"the sum in the softmax runs over the queries, not over the keys",
                       matmul(A * (dA - sum(A * dA, 0, true)) / 2, K)},
                      {"the plain mean of g is subtracted, not the mean with the weights",
                       matmul(A * (dA - mean(dA, -1, true)) / 2, K)}}});
    judge.equal(
        "the gradient of the keys", [&] { return my_backward(Q, K, V, A, G).key; }, right[1],
        {.mistakes = {{"the root is forgotten on the way back: S is divided by it, and so is "
                       "its gradient",
                       matmul(transpose(dS), Q)}}});
    const std::vector<Tensor> large = truth(Q * 50, K * 50, V, G);
    judge.equal(
        "scores in the thousands: the gradient of the keys",
        [&] { return my_backward(Q * 50, K * 50, V, weights_of(Q * 50, K * 50), G).key; },
        large[1]);
    judge.equal(
        "one key: all weight lies on it, so the query has the gradient 0",
        [&] {
            return my_backward(Q, slice(K, 0, 0, 1), slice(V, 0, 0, 1), ones({3, 1}, d64), G).query;
        },
        zeros({3, 4}, d64));
    // Keys 3 and 4 are masked: their scores were minus infinity, and their weights are 0.
    const Tensor past = concat({weights_of(Q, slice(K, 0, 0, 3)), zeros({3, 2}, d64)}, 1);
    judge.equal(
        "two keys that a mask hides get the gradient 0, the others as if there were no more",
        [&] { return my_backward(Q, K, V, past, G).key; },
        concat({truth(Q, slice(K, 0, 0, 3), slice(V, 0, 0, 3), G)[1], zeros({2, 4}, d64)}, 0));
    // Two heads: what is right for one matrix must be right for each of them.
    const auto two = [](const Tensor& x, const Tensor& y) { return stack({x, y}, 0); };
    judge.equal("two heads at once: the gradient of the queries",
                [&] {
                    return my_backward(two(Q, -Q), two(K, K), two(V, V), two(A, weights_of(-Q, K)),
                                       two(G, G))
                        .query;
                },
                two(right[0], truth(-Q, K, V, G)[0]),
                {.formula = "count axes from the end: -1 is the last one, -2 the one before"});
}
