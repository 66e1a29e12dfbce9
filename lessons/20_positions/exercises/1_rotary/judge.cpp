#include "lessons/course/exercise/judge.h"

#include <cmath>

#include HEED_ANSWER

void judge(course::Judge& judge) {
    judge.own({"rotary", "RelativePositions", "sinusoidal_positions"});
    Rng rng(1);
    const auto d64 = Dtype::float64;
    const Tensor row = tensor({1, 0, 1, 0}, {1, 4}, d64);
    const double c = std::cos(1.), s = std::sin(1.), c2 = std::cos(0.01), s2 = std::sin(0.01);
    // Of width 6, where an order of the result tells in which order the numbers were read.
    const Tensor six = tensor({1, 2, 3, 4, 5, 6}, {1, 6}, d64);
    judge.given({{"x", six}});
    judge.equal("at position 0 nothing is rotated", [&] { return my_rotary(six, 0); }, six,
                {.formula = "the angle is omega_i t; the first position is 0",
                 .mistakes = {{"positions are counted from 1", rotary(six, 1)},
                              {"the result holds all even numbers first: they must be interleaved",
                               tensor({1, 3, 5, 2, 4, 6}, {1, 6}, d64)},
                              {"the pairs are read from the two halves, (x_0, x_3), and not from "
                               "neighbours, (x_0, x_1)",
                               tensor({1, 4, 2, 5, 3, 6}, {1, 6}, d64)}}});
    judge.equal(
        "(1, 0, 1, 0) at position 1", [&] { return my_rotary(row, 1); },
        tensor({c, s, c2, s2}, {1, 4}, d64),
        {.formula = "x_2i' = x_2i cos - x_2i+1 sin, x_2i+1' = x_2i sin + x_2i+1 cos",
         .mistakes = {
             {"it is rotated in the wrong direction", tensor({c, -s, c2, -s2}, {1, 4}, d64)},
             {"the two halves are rotated with each other, not neighbours",
              tensor({c - s, 0, c + s, 0}, {1, 4}, d64)},
             {"the result holds all even numbers first: they must be interleaved",
              tensor({c, c2, s, s2}, {1, 4}, d64)},
             {"all pairs have the frequency 1", tensor({c, s, c, s}, {1, 4}, d64)},
             {"the exponent is -i / D and not -2 i / D: the second frequency is 0.01",
              tensor({c, s, std::cos(0.1), std::sin(0.1)}, {1, 4}, d64)},
             {"the argument `first` is not used", row}}});
    const Tensor x = normal({5, 6}, 0, 1, rng, d64);
    judge.equal("five tokens of width 6 from position 0", [&] { return my_rotary(x, 0); },
                rotary(x, 0),
                {.mistakes = {{"the exponent is -i / D and not -2 i / D", rotary(x, 0, 100)}}});
    judge.equal("from position 7", [&] { return my_rotary(x, 7); }, rotary(x, 7),
                {.mistakes = {{"the argument `first` is not used", rotary(x, 0)}}});
    judge.equal(
        "no tokens at all",
        [&] {
            return my_rotary(zeros({0, 6}), 3);
        },
        zeros({0, 6}));
    judge.equal("float32 stays float32", [&] { return my_rotary(to_dtype(x, Dtype::float32), 7); },
                to_dtype(rotary(x, 7), Dtype::float32), {.tolerance = 1e-5});
    const Tensor q = normal({1, 6}, 0, 1, rng, d64), k = normal({1, 6}, 0, 1, rng, d64);
    judge.equal("the dot product of a query at 105 and a key at 103 is that at 5 and 3",
                [&] { return sum(my_rotary(q, 105) * my_rotary(k, 103)); },
                sum(rotary(q, 5) * rotary(k, 3)), {.formula = "equal rotations cancel"});
    judge.equal(
        "lengths stay as they are", [&] { return sum(square(my_rotary(x, 40)), -1); },
        sum(square(x), -1));
    judge.gradient("the gradient", [](const auto& in) { return my_rotary(in[0], 3); }, {x});
}
