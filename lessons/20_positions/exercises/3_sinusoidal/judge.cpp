#include "lessons/course/exercise/judge.h"

#include <cmath>

#include HEED_ANSWER

void judge(course::Judge& judge) {
    judge.own({"sinusoidal_positions", "AbsolutePositions", "rotary"});
    const double s = std::sin(1.), c = std::cos(1.), s2 = std::sin(0.01), c2 = std::cos(0.01);
    judge.equal("position 0 with the width 4", [] { return my_positions(0, 1, 4); },
                tensor({0, 1, 0, 1}, {1, 4}),
                {.formula = "p_2i = sin(omega_i t), p_2i+1 = cos(omega_i t)",
                 .mistakes = {{"positions are counted from 0", tensor({s, c, s2, c2}, {1, 4})},
                              {"the cosine comes before the sine", tensor({1, 0, 1, 0}, {1, 4})},
                              {"sines and cosines must alternate", tensor({0, 0, 1, 1}, {1, 4})}}});
    judge.equal(
        "position 1", [] { return my_positions(1, 1, 4); }, tensor({s, c, s2, c2}, {1, 4}),
        {.mistakes = {{"all hands have the frequency 1", tensor({s, c, s, c}, {1, 4})},
                      {"the exponent is -i / D and not -2 i / D: the second frequency is 0.01",
                       tensor({s, c, std::sin(0.1), std::cos(0.1)}, {1, 4})},
                      {"the argument `first` is not used", tensor({0, 1, 0, 1}, {1, 4})},
                      {"sine and cosine of a pair have the same frequency: i counts pairs, not "
                       "numbers",
                       tensor({s, std::cos(0.01), std::sin(1e-4), std::cos(1e-6)}, {1, 4})}}});
    judge.equal("five positions from 7 on, width 6", [] { return my_positions(7, 5, 6); },
                sinusoidal_positions(7, 5, 6), {.tolerance = 1e-5});
    judge.equal("two positions of width 10", [] { return my_positions(0, 2, 10); },
                sinusoidal_positions(0, 2, 10), {.tolerance = 1e-5});
    judge.number("the squared length for D = 32", [] { return my_squared_length(32); }, 16,
                 {.formula = "the square of the sine and that of the cosine sum to 1",
                  .mistakes = {{"each pair of numbers contributes 1, not each number", 32},
                               {"the squared length is asked for, not the length", 4}}});
    judge.number(
        "for D = 6", [] { return my_squared_length(6); }, 3);
    judge.number(
        "the product of neighbours for D = 4: 1.540", [] { return my_product(1, 4); }, c + c2,
        {.formula = "the sum over the hands of cos(omega_i d)",
         .mistakes = {{"the fast hand alone is counted", c},
                      {"the slow hand counts, too, with its own frequency", 2 * c},
                      {"there is one cosine for each hand, not for each number", 2 * (c + c2)}}});
    const Tensor p = sinusoidal_positions(0, 30, 8, Dtype::float64);
    for (const int64_t d : {3, 20, -5})
        judge.number(
            fmt::format("the distance {} for D = 8", d), [d] { return my_product(d, 8); },
            dot(select(p, 0, 6), select(p, 0, 6 + d)).item());
}
