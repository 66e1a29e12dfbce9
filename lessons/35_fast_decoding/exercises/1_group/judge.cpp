#include "lessons/course/exercise/judge.h"

#include <cmath>
#include <limits>

#include HEED_ANSWER

void judge(course::Judge& judge) {
    judge.own({"quantise", "dequantise"});
    const auto d64 = Dtype::float64;
    const Tensor three = tensor({0.7, -0.32, 0.04}, {3}, d64);
    judge.given({{"w", three}});
    judge.number(
        "the step of (0.7, -0.32, 0.04) with 4 bits", [&] { return my_step(three, 4); }, 0.1,
        {.formula = "0.7 / (8 - 1)",
         .mistakes = {{"in C++ a ^ b is no power; std::ldexp(1.0, n) is 2 to the power of n",
                       std::numeric_limits<double>::infinity()},
                      {"with 4 bits the largest whole number is 7, not 8 and not 15", 0.7 / 8},
                      {"with 4 bits the largest whole number is 7, not 8 and not 15", 0.7 / 15}}});
    const Tensor negative = tensor({0.1, -1.27, 0.5}, {3}, d64);
    judge.number(
        "the step of (0.1, -1.27, 0.5) with 8 bits", [&] { return my_step(negative, 8); }, 0.01,
        {.formula = "1.27 / 127",
         .mistakes = {{"the largest in size counts, and here it is negative", 0.5 / 127}}});
    judge.equal("the same three weights, rounded", [&] { return my_rounded(three, 4, 3); },
                tensor({0.7, -0.3, 0.0}, {3}, d64),
                {.formula = "0.1 * round(w / 0.1)",
                 .mistakes = {{"the numbers are rounded down, not to the nearest whole number",
                               floor(three / (0.7 / 7)) * (0.7 / 7)},
                              {"the whole numbers are not multiplied by the step again",
                               tensor({7, -3, 0}, {3}, d64)}}});
    Rng rng(1);
    Tensor w = normal({12}, 0, 1, rng, d64);
    w.edit<double>()[5] = 30;
    const auto in_groups = [&](int64_t group) {
        const Tensor x = reshape(w, {-1, group}), s = max(abs(x), -1, true) / 7.0;
        return reshape(round(x / s) * s, {12});
    };
    judge.equal("twelve weights in groups of four, one of them 30",
                [&] { return my_rounded(w, 4, 4); }, in_groups(4),
                {.formula = "each group has a step of its own",
                 .mistakes = {{"all groups have the same step", in_groups(12)}}});
    judge.equal("a group of zeros between two others",
                [&] {
                    return my_rounded(
                        tensor({0.7, -0.32, 0.04, 0, 0, 0, 0.14, 0.059, -0.021}, {9}, d64), 4, 3);
                },
                tensor({0.7, -0.3, 0, 0, 0, 0, 0.14, 0.06, -0.02}, {9}, d64),
                {.formula = "only the group whose step is 0 stays as it is"});
    judge.equal("a group of zeros", [&] { return my_rounded(zeros({4}, d64), 4, 2); },
                zeros({4}, d64), {.formula = "0; the step is 0, and 0 / 0 is no number"});
}
