#include "lessons/course/exercise/judge.h"

#include HEED_ANSWER

void judge(course::Judge& judge) {
    judge.own({"performer_attention", "performer_definition", "Performer"});
    judge.choice(
        "the broken law", my_broken_law, "causal",
        {{"to doubt the sum; numerator and denominator contain the same keys, so the weights "
          "sum to 1",
          "distribution"},
         {"to expect that keys are lost; each one goes into both sums, and too early",
          "every key counts"},
         {"to expect that values are lost; each one goes into S, and too early",
          "every value counts"}});
    const auto f64 = [](std::vector<double> numbers, Shape shape) {
        return tensor(numbers, shape, Dtype::float64);
    };
    // All features are 1, so the context is the plain mean of the values so far.
    const Tensor one = ones({3, 1}, Dtype::float64), v = f64({10, 20, 60}, {3, 1});
    judge.given({{"of_q", one}, {"of_k", one}, {"values", v}});
    judge.equal(
        "three tokens with equal features and the values 10, 20, 60; chunks of two",
        [&] { return my_attention(one, one, v, 2); }, f64({10, 15, 30}, {3, 1}),
        {.formula = "each context is the mean of the values so far",
         .mistakes = {{"query 0 sees key 1, because the sums contain the whole chunk",
                       f64({15, 15, 30}, {3, 1})},
                      {"all queries see all keys", f64({30, 30, 30}, {3, 1})},
                      {"the keys of the own chunk are left out",
                       f64({std::nan(""), std::nan(""), 15}, {3, 1})},
                      {"the numerator is mended, but the denominator contains the whole chunk",
                       f64({5, 15, 30}, {3, 1})},
                      {"the denominator is mended, but the numerator contains the whole chunk",
                       f64({30, 15, 30}, {3, 1})},
                      {"each query sees its own chunk only: the sums before it are missing",
                       f64({10, 15, 60}, {3, 1})}}});
    Rng rng(9);
    const Tensor q = uniform({11, 3}, 0.1, 2, rng, Dtype::float64),
                 k = uniform({11, 3}, 0.1, 2, rng, Dtype::float64),
                 values = normal({11, 2}, 0, 1, rng, Dtype::float64);
    const Tensor table = tril(matmul(q, transpose(k)));
    const Tensor expected = matmul(table / sum(table, 1, true), values);
    for (const int64_t chunk : {1, 2, 4, 11, 100})
        judge.equal(
            fmt::format("eleven random tokens in chunks of {}", chunk),
            [&] { return my_attention(q, k, values, chunk); }, expected,
            {.formula = "sum over j <= i of phi(q_i) . phi(k_j) v_j, over the sum without v_j"});
    judge.gradient("the gradients of features and values",
                   [](const auto& x) { return my_attention(x[0], x[1], x[2], 4); }, {q, k, values});
    const Tensor many = uniform({2048, 2}, 0.1, 1, rng);
    judge.bytes(
        "2,048 tokens in chunks of 64, without a table of 2,048 x 2,048 numbers",
        [&] {
            const NoGrad no_grad;
            my_attention(many, many, many, 64);
        },
        2e6, "Only the weights inside a chunk may be a table.");
}
