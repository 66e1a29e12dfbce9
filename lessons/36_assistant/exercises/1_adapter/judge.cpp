#include "lessons/course/exercise/judge.h"

#include HEED_ANSWER

void judge(course::Judge& judge) {
    judge.own({"add_adapters", "merge_adapters", "LowRankAdapter", "linear"});
    const auto d64 = Dtype::float64;
    const Tensor one = tensor({1, 1}, {1, 2}, d64), A = tensor({1, 2}, {1, 2}, d64),
                 B = tensor({3, 0}, {2, 1}, d64);
    judge.given({{"x", one}, {"A", A}, {"B", B}});
    judge.equal(
        "the example", [&] { return my_adapted(one, eye(2, d64), A, B, 1); },
        tensor({10, 1}, {1, 2}, d64),
        {.formula = "(1, 1) + 3 * (3, 0)",
         .mistakes = {{"the adapter is missing; this is x W^T alone", one},
                      {"W is missing; this is the adapter alone", tensor({9, 0}, {1, 2}, d64)}}});
    judge.equal("the example, s = 0.5", [&] { return my_adapted(one, eye(2, d64), A, B, 0.5); },
                tensor({5.5, 1}, {1, 2}, d64),
                {.mistakes = {{"s is not used", tensor({10, 1}, {1, 2}, d64)},
                              {"s multiplies W as well", tensor({5, 0.5}, {1, 2}, d64)}}});
    Rng rng(1);
    const auto draw = [&](const Shape& shape) { return normal(shape, 0, 1, rng, d64); };
    const Tensor x = draw({5, 4}), W = draw({3, 4}), a = draw({2, 4}), b = draw({3, 2});
    const Tensor merged = W + matmul(b, a) * 0.7;
    judge.equal(
        "random matrices, r = 2", [&] { return my_adapted(x, W, a, b, 0.7); },
        matmul(x, transpose(merged)));
    judge.given({{"W", W}, {"A", a}, {"B", b}});
    judge.equal("merged", [&] { return my_merged(W, a, b, 0.7); }, merged,
                {.formula = "W + s B A",
                 .mistakes = {{"s is not used in the merged matrix", W + matmul(b, a)},
                              {"the merged matrix needs W as well", matmul(b, a) * 0.7}}});
    judge.gradient("its gradient",
                   [](const auto& t) { return my_adapted(t[0], t[1], t[2], t[3], 0.7); },
                   {x, W, a, b});
    judge.number("numbers of rank 2 for 4 inputs and 3 outputs", [] { return my_count(4, 3, 2); },
                 14,
                 {.mistakes = {{"these are the numbers of W", 12},
                               {"A and B both count", 8},
                               {"W does not count; it is not trained", 26}}});
}
