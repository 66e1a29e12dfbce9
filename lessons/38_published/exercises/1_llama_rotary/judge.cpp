#include "lessons/course/exercise/judge.h"

#include <cmath>
#include <vector>

#include HEED_ANSWER

void judge(course::Judge& judge) {
    judge.own({"rotary", "RelativePositions", "rotate"});
    Rng rng(1);
    const auto d64 = Dtype::float64;
    const auto right = [](const Tensor& x, int64_t first, double base, bool halves) {
        return rotary(x, first, base, halves ? RotaryLayout::halves : RotaryLayout::pairs);
    };
    // The two halves of each row, number by number.
    const auto interleaved = [](const Tensor& x) {
        const int64_t D = x.size(-1);
        return reshape(stack({slice(x, -1, 0, D / 2), slice(x, -1, D / 2, D)}, -1), x.shape());
    };
    const Tensor row = tensor({1, 2, 3, 4}, {1, 4}, d64);
    const auto compare = [&](const std::string& what, const Tensor& x, int64_t first, double base,
                             bool halves) {
        const Tensor expected = right(x, first, base, halves);
        std::vector<course::Mistake> mistakes{
            {"the layouts are swapped: halves are (x_i, x_{i + D/2})",
             right(x, first, base, !halves)},
            {"the argument `base` is not used", right(x, first, 10000, halves)},
            {"the exponent is -i / D and not -2 i / D", right(x, first, std::sqrt(base), halves)},
            {"the argument `first` is not used", right(x, 0, base, halves)},
            {"positions are counted from 1", right(x, first + 1, base, halves)},
            {"it is rotated in the wrong direction", right(x, -first, base, halves)}};
        if (halves)
            mistakes.push_back(
                {"the halves are interleaved in the result: each number stays in "
                 "its column",
                 interleaved(expected)});
        judge.equal(what, [&] { return my_rotary(x, first, base, halves); }, expected,
                    {.formula = "the angle of pair i at position t is t base^(-2i/D)",
                     .mistakes = mistakes});
    };
    compare("(1, 2, 3, 4) at position 1, base 100, neighbours", row, 1, 100, false);
    compare("the same in halves", row, 1, 100, true);
    const Tensor x = normal({2, 3, 5, 6}, 0, 1, rng, d64);
    compare("two texts, three heads, five tokens of width 6, base 100,000, neighbours", x, 7,
            100000, false);
    compare("the same in halves", x, 7, 100000, true);
    compare("one token alone, as with a cache", slice(x, 2, 4, 5), 11, 100000, true);
    judge.equal("float32 stays float32",
                [&] { return my_rotary(to_dtype(x, Dtype::float32), 7, 500, true); },
                to_dtype(right(x, 7, 500, true), Dtype::float32), {.tolerance = 1e-5});
    const Tensor q = slice(x, 2, 0, 1), k = slice(x, 2, 1, 2);
    judge.given({{"x", q}});
    judge.equal(
        "the dot product of a query at 105 and a key at 103 is that at 5 and 3",
        [&] { return sum(my_rotary(q, 105, 500, true) * my_rotary(k, 103, 500, true), -1); },
        sum(right(q, 5, 500, true) * right(k, 3, 500, true), -1),
        {.formula = "equal rotations cancel"});
    judge.gradient("the gradient", [](const auto& in) { return my_rotary(in[0], 3, 500, true); },
                   {x});
}
