#include "lessons/course/exercise/judge.h"

#include <cmath>

#include HEED_ANSWER

void judge(course::Judge& judge) {
    judge.own({"attend", "scaled_dot_product_attention", "scaled_dot_product_definition",
               "tiled_attention", "soft_attention", "attention_by_tiles"});
    const auto f64 = [](std::vector<double> numbers, Shape shape) {
        return tensor(numbers, shape, Dtype::float64);
    };
    const auto three = [](const Sums& x) { return concat({x.m, x.l, x.a}, 1); };
    const Tensor s1 = f64({1, 3}, {1, 2}), v1 = f64({10, 20}, {2, 1}), s2 = f64({2, 5}, {1, 2}),
                 v2 = f64({30, 40}, {2, 1});
    const double e2 = std::exp(-2.), e3 = std::exp(-3.);
    const double l1 = e2 + 1, a1 = 10 * e2 + 20, l2 = e3 + 1, a2 = 30 * e3 + 40;
    judge.given({{"s", s1}, {"v", v1}});
    judge.equal(
        "m, l and a of the scores 1, 3 and the values 10, 20",
        [&] { return three(my_tile(s1, v1)); }, f64({3, l1, a1}, {1, 3}),
        {.formula = "m = max s_j, l = sum exp(s_j - m), a = sum exp(s_j - m) v_j",
         .mistakes = {
             {"the maximum is not subtracted in the exponents",
              f64({3, std::exp(1.) + std::exp(3.), 10 * std::exp(1.) + 20 * std::exp(3.)}, {1, 3})},
             {"a is divided by l already; that comes at the end", f64({3, l1, a1 / l1}, {1, 3})},
             {"a has the values of the tile without their weights", f64({3, l1, 30}, {1, 3})}}});
    const Sums one{f64({3}, {1, 1}), f64({l1}, {1, 1}), f64({a1}, {1, 1})};
    const Sums two{f64({5}, {1, 1}), f64({l2}, {1, 1}), f64({a2}, {1, 1})};
    const Tensor joined = f64({5, e2 * l1 + l2, e2 * a1 + a2}, {1, 3});
    const std::vector<course::Mistake> mistakes{
        {"the sums are added as they are; they contain different factors e^-m",
         f64({5, l1 + l2, a1 + a2}, {1, 3})},
        {"only l is corrected; a contains the same factor",
         f64({5, e2 * l1 + l2, a1 + a2}, {1, 3})},
        {"only a is corrected; l contains the same factor",
         f64({5, l1 + l2, e2 * a1 + a2}, {1, 3})},
        {"the factor is upside down: e^(m' - m) in place of e^(m - m')",
         f64({5, l1 / e2 + l2, a1 / e2 + a2}, {1, 3})},
        {"the correction belongs to the tile with the smaller maximum, whichever it is",
         f64({5, l1 + l2 / e2, a1 + a2 / e2}, {1, 3})}};
    judge.equal("both tiles of the lesson: m = 5, l = 1.2034, a = 44.384",
                [&] { return three(my_join(one, two)); }, joined,
                {.formula = "l' = e^(m1 - m') l1 + e^(m2 - m') l2, and a' in the same way",
                 .mistakes = mistakes});
    judge.equal("the same two, the larger maximum first", [&] { return three(my_join(two, one)); },
                joined, {.mistakes = mistakes});
    judge.equal("the context of both tiles: 36.88", [&] { return my_result(my_join(one, two)); },
                f64({(e2 * a1 + a2) / (e2 * l1 + l2)}, {1, 1}),
                {.formula = "a / l",
                 .mistakes = {{"a has to be divided by l", f64({e2 * a1 + a2}, {1, 1})}}});
    const Tensor values = f64({10, 20, 30, 40}, {2, 2});
    const auto both = [&](double first, double second) {
        return [=] {
            const Tensor s = tensor({first, first}, {1, 2}, Dtype::float64),
                         t = tensor({second, second}, {1, 2}, Dtype::float64);
            return my_result(my_join(my_tile(s, values), my_tile(t, values + 1.)));
        };
    };
    judge.equal("a tile with the scores 1,000 and one with -1,000", both(1000, -1000),
                f64({20, 30}, {1, 2}));
    judge.equal("a tile with the scores -1,000 and one with 1,000", both(-1000, 1000),
                f64({21, 31}, {1, 2}));
    judge.equal("two tiles with the scores -1,000", both(-1000, -1000), f64({20.5, 30.5}, {1, 2}));

    Rng rng(7);
    const auto random = [&](const Shape& shape) {
        return normal(shape, 0, 2, rng, Dtype::float64);
    };
    const Tensor q = random({5, 3}), k = random({11, 3}), v = random({11, 4});
    const Tensor scores = matmul(q, transpose(k));
    const Tensor expected = matmul(softmax(scores / std::sqrt(3.)), v);
    for (const int64_t tile : {4, 1, 11, 50}) {
        std::vector<course::Mistake> slips{
            {"the scores are not divided by the root of the width", matmul(softmax(scores), v)}};
        if (tile == 4) {
            Tensor average = zeros({5, 4}, Dtype::float64);
            for (int first : {0, 4, 8})
                average += matmul(softmax(slice(scores, 1, first, std::min(first + 4, 11)) /
                                          std::sqrt(3.)),
                                  slice(v, 0, first, std::min(first + 4, 11))) /
                           3.;
            slips.push_back(
                {"each tile is normalised by itself, and the results are averaged", average});
            slips.push_back(
                {"the last tile, which is smaller, is left out",
                 matmul(softmax(slice(scores, 1, 0, 8) / std::sqrt(3.)), slice(v, 0, 0, 8))});
        }
        judge.equal(fmt::format("five queries and eleven keys in tiles of {}", tile),
                    [&] { return my_attention(q, k, v, tile); }, expected,
                    {.formula = "softmax(q . k / sqrt(D)) times the values", .mistakes = slips});
    }
    judge.gradient("the gradients of queries, keys and values",
                   [](const auto& x) { return my_attention(x[0], x[1], x[2], 4); }, {q, k, v});
    const Tensor many = normal({1024, 4}, 0, 1, rng);
    judge.given({{"q", many}, {"k", many}, {"v", many}});
    judge.bytes(
        "1,024 queries and keys in tiles of 32, without a table of 1,024 x 1,024 numbers",
        [&] {
            const NoGrad no_grad;
            my_attention(many, many, many, 32);
        },
        2e6, "A table of all keys takes 4.2 MB. Compute the scores of one tile at a time.");
}
