#include "lessons/course/exercise/judge.h"

#include <cmath>

#include HEED_ANSWER

void judge(course::Judge& judge) {
    judge.own({"positive_features", "performer_attention", "performer_definition",
               "orthogonal_features", "Performer"});
    const auto f64 = [](std::vector<double> numbers, Shape shape) {
        return tensor(numbers, shape, Dtype::float64);
    };
    const double root2 = std::sqrt(2.), up = std::exp(0.5), down = std::exp(-0.5),
                 shrink = std::exp(-0.125);
    judge.equal(
        "the features of 0.5 with the vectors 1 and -1: 1.029 and 0.378",
        [&] {
            return my_features(f64({0.5}, {1, 1}), f64({1, -1}, {2, 1}));
        },
        f64({up * shrink / root2, down * shrink / root2}, {1, 2}),
        {.formula = "exp(w . x - |x|^2 / 2) / sqrt(M)",
         .mistakes = {
             {"they are not divided by the root of M", f64({up * shrink, down * shrink}, {1, 2})},
             {"they are divided by M, not by its root; a product has two of them",
              f64({up * shrink / 2, down * shrink / 2}, {1, 2})},
             {"|x|^2 / 2 is missing in the exponent", f64({up / root2, down / root2}, {1, 2})},
             {"|x|^2 is not divided by 2, or |x| is not squared",
              f64({up * std::exp(-0.25) / root2, down * std::exp(-0.25) / root2}, {1, 2})}}});
    Rng rng(8);
    const auto random = [&](const Shape& shape) {
        return normal(shape, 0, 1, rng, Dtype::float64);
    };
    const Tensor x = random({5, 3}), w3 = random({7, 3});
    judge.given({{"x", x}, {"w", w3}});
    judge.equal(
        "the features of five vectors of width 3, with seven random vectors",
        [&] { return my_features(x, w3); }, positive_features(x, w3),
        {.mistakes = {{"|x|^2 is summed over all vectors; each has its own",
                       exp(matmul(x, transpose(w3)) - 0.5 * sum(square(x))) / std::sqrt(7.)}}});
    const Tensor q = random({6, 4}), k = random({5, 4}), v = random({5, 3}), w = random({8, 4});
    const auto in_head = [](const Tensor& y) { return unsqueeze(unsqueeze(y, 0), 0); };
    const auto library = [&](const Tensor& a, const Tensor& b, double scale) {
        const Tensor y =
            performer_definition(in_head(a), in_head(b), in_head(v), w, {.scale = scale}).context;
        return select(select(y, 0, 0), 0, 0);
    };
    const Tensor root_q = positive_features(q / std::sqrt(2.), w),
                 root_k = positive_features(k / std::sqrt(2.), w);
    judge.given({{"q", q}, {"k", k}, {"v", v}, {"w", w}});
    judge.equal(
        "six queries and five keys of width 4", [&] { return my_attention(q, k, v, w); },
        library(q, k, 0.5),
        {.formula = "phi(q) . phi(k) estimates exp(q . k / sqrt(D))",
         .mistakes = {{"the dot products are not divided by the root of D", library(q, k, 1)},
                      {"q and k are both divided by the root of D, so their product by D",
                       library(q, k, 0.25)},
                      {"the denominator is missing, so the weights do not sum to 1",
                       matmul(root_q, matmul(transpose(root_k), v))},
                      {"only the queries are divided; |x|^2 / 2 then does not fit",
                       [&] {
                           const Tensor a = positive_features(q / 2., w),
                                        b = positive_features(k, w);
                           return matmul(a, matmul(transpose(b), v)) /
                                  unsqueeze(matmul(a, sum(b, 0)), 1);
                       }()},
                      {"this is the softmax of the scores; asked is the estimate",
                       matmul(softmax(matmul(q, transpose(k)) / 2.), v)}}});
    judge.equal(
        "a single key: the context is its value",
        [&] { return my_attention(q, slice(k, 0, 0, 1), slice(v, 0, 0, 1), w); },
        expand(slice(v, 0, 0, 1), {6, 3}));
    judge.gradient("the gradients of queries, keys and values",
                   [&](const auto& in) { return my_attention(in[0], in[1], in[2], w); }, {q, k, v});
    const Tensor many = normal({2048, 4}, 0, 1, rng), few = to_dtype(w, Dtype::float32);
    judge.bytes(
        "2,048 tokens without a table of 2,048 x 2,048 numbers",
        [&] {
            const NoGrad no_grad;
            my_attention(many, many, many, few);
        },
        2e6, "Which of the two products in (A B) C can be computed first?");
}
