#include "lessons/course/exercise/judge.h"

#include HEED_ANSWER

void judge(course::Judge& judge) {
    judge.own({"broadcast", "expand", "add", "tensor", "contiguous_strides", "view_of"});
    const auto list = [](const Sizes& sizes) {
        return tensor(std::vector<double>(sizes.begin(), sizes.end()));
    };
    const auto shape_of = [&](const Sizes& a, const Sizes& b) { return list(my_shape(a, b)); };
    const auto strides_of = [&](const Sizes& a, const Sizes& b) { return list(my_strides(a, b)); };

    judge.refuses(
        "[2, 3] and [2] do not fit",
        [] {
            my_shape({2, 3}, {2});
        },
        "No error was thrown, although 3 and 2 stand in the same column and neither of "
        "them is 1. A mistake that many make: the shapes are aligned on the left.");
    judge.equal(
        "the shape of [2, 3] plus [3]",
        [&] {
            return shape_of({2, 3}, {3});
        },
        tensor({2., 3.}));
    judge.equal("the shape of [5, 1, 7] plus [4, 1]",
                [&] {
                    return shape_of({5, 1, 7}, {4, 1});
                },
                tensor({5., 4., 7.}),
                {.formula = "write both shapes so that they end at the same column"});
    judge.equal(
        "the shape of [4, 1] plus [5, 1, 7]",
        [&] {
            return shape_of({4, 1}, {5, 1, 7});
        },
        tensor({5., 4., 7.}));
    judge.equal(
        "the shape of [] plus [2, 3], where the first is a single number",
        [&] {
            return shape_of({}, {2, 3});
        },
        tensor({2., 3.}));
    judge.equal("the shape of [1, 3] plus [0, 1], which has no rows",
                [&] {
                    return shape_of({1, 3}, {0, 1});
                },
                tensor({0., 3.}),
                {.formula = "the 1 is repeated, as often as the other size says, also 0 times",
                 .mistakes = {{"the larger of two sizes is taken, but 1 beside 0 gives 0",
                               tensor({1., 3.})}}});
    judge.refuses(
        "[4, 6] and [4, 3] do not fit",
        [] {
            my_shape({4, 6}, {4, 3});
        },
        "No error was thrown. Only a size of 1 is repeated, not every divisor.");

    judge.equal(
        "the strides of [2, 1], read as [4, 2, 3]",
        [&] {
            return strides_of({2, 1}, {4, 2, 3});
        },
        tensor({0., 1., 0.}),
        {.formula = "the stride of an axis with one index is 0",
         .mistakes = {
             {"the strides of the result, not of what is stored", tensor({6., 3., 1.})},
             {"axes of size 1 are not repeated", tensor({0., 1., 1.})},
             {"axes of size 1 are not repeated", tensor({2., 1., 1.})},
             {"the strides of the result, with 0 where it is repeated", tensor({0., 3., 0.})}}});
    judge.equal(
        "the strides of [2, 1, 3, 4], read as [2, 5, 3, 4]",
        [&] {
            return strides_of({2, 1, 3, 4}, {2, 5, 3, 4});
        },
        tensor({12., 0., 4., 1.}),
        {.formula = "what is stored has strides of its own shape",
         .mistakes = {
             {"the strides of the result, with 0 where it is repeated", tensor({60., 0., 4., 1.})},
             {"the strides are in the opposite order", tensor({1., 0., 4., 12.})}}});

    // Thermometer minus means, as in the lesson; then sizes that all differ.
    judge.equal(
        "the two days, and minus the three means",
        [] {
            return tensor(my_sum({4, 9, 6, 5, 11, 7}, {2, 3}, {-4.5, -10, -6.5}, {3}));
        },
        tensor({-0.5, -1, -0.5, 0.5, 1, 0.5}));
    Rng rng(1);
    const auto random = [&](const Sizes& a, const Sizes& b, const Shape& p, const Shape& q) {
        const Tensor x = normal(p, 0, 1, rng), y = normal(q, 0, 1, rng);
        judge.equal(
            fmt::format("{} plus {}", p, q),
            [=] { return tensor(my_sum(x.to_vector(), a, y.to_vector(), b)); }, flatten(x + y));
    };
    random({5, 1, 7}, {4, 1}, {5, 1, 7}, {4, 1});
    random({3}, {2, 4, 1}, {3}, {2, 4, 1});
    random({2, 3, 4}, {2, 3, 4}, {2, 3, 4}, {2, 3, 4});
    random({0, 3}, {3}, {0, 3}, {3});
}
