#include "lessons/course/exercise/judge.h"

#include HEED_ANSWER

void judge(course::Judge& judge) {
    judge.own({"unit_vectors", "ContrastivePair"});
    judge.choice(
        "the broken law", my_broken_law, "gradient",
        {{"to doubt the lengths; their numbers are right, so twice the length cancels", "length"},
         {"to doubt the rows; each one is divided by its own length", "pairs apart"},
         {"to doubt the table; both sides are treated alike", "symmetry"}});
    const auto f64 = [](std::vector<double> numbers, Shape shape) {
        return tensor(numbers, shape, Dtype::float64);
    };
    const Tensor x = f64({3, 4, 0, 2}, {2, 2});
    judge.given({{"x", x}});
    judge.equal(
        "the rows (3, 4) and (0, 2)", [&] { return my_unit(x); }, f64({0.6, 0.8, 0, 1}, {2, 2}),
        {.formula = "x / |x|, row by row",
         .mistakes = {
             {"the lengths are those of the columns", x / norm(x, 2, 0, true)},
             {"all numbers are divided by one length, that of the whole table", x / norm(x)},
             {"the root is missing", x / f64({25, 4}, {2, 1})},
             {"the rows are not divided at all", x}}});
    // The gradient of the sum of a unit vector's numbers, at (3, 4): (0.032, -0.024).
    judge.equal(
        "the gradient of the sum of both numbers of the unit vector, at (3, 4)",
        [&] {
            Tensor leaf = f64({3, 4}, {1, 2}).set_requires_grad();
            backward(sum(my_unit(leaf)));
            return leaf.grad();
        },
        f64({0.032, -0.024}, {1, 2}),
        {.formula = "a step along x changes nothing: the gradient times x is 0",
         .mistakes = {{"the length is a constant here; it has to be made of recorded operations",
                       f64({0.2, 0.2}, {1, 2})}}});
    Rng rng(4);
    const Tensor a = normal({5, 3}, 0, 2, rng, Dtype::float64),
                 b = normal({5, 3}, 0, 2, rng, Dtype::float64);
    judge.given({{"a", a}, {"b", b}});
    judge.equal(
        "the scores of five random pairs", [&] { return my_scores(a, b, 0.1); },
        matmul(unit_vectors(a), transpose(unit_vectors(b))) / 0.1);
    judge.gradient("the gradients of pictures and captions",
                   [](const auto& in) { return my_scores(in[0], in[1], 0.5); }, {a, b});
}
