#include "lessons/course/exercise/judge.h"

#include HEED_ANSWER

void judge(course::Judge& judge) {
    judge.own({"silu", "FeedForward", "TransformerEncoderLayer", "LanguageModel", "glu"});
    const auto f64 = [](std::vector<double> numbers, const Shape& shape) {
        return tensor(numbers, shape, Dtype::float64);
    };
    const Tensor w = f64({1, -1}, {1, 2}), v = f64({2, 1}, {1, 2}), w2 = f64({1}, {1, 1});
    const auto number = [&](double x) { return f64({x}, {1, 1}); };
    const double open = 1 / (1 + std::exp(-1.));  // silu(1)
    judge.given({{"w", w}, {"v", v}, {"w2", w2}});
    judge.equal("the row (2, 1) of the task: 3.655",
                [&] {
                    return my_swiglu(f64({2, 1}, {1, 2}), w, v, w2);
                },
                number(5 * open),
                {.formula = "W2 (silu(W x) * V x)",
                 .mistakes = {{"the gate is added, not multiplied", number(5 + open)},
                              {"the linear part goes through silu, and not the gate",
                               number(5 / (1 + std::exp(-5.)))},
                              {"there is no silu", number(5)},
                              {"the linear part is missing", number(open)}}});
    const double half = 1 / (1 + std::exp(1.));  // of silu(-1)
    judge.equal(
        "the row (1, 2): the gate is silu(-1) = -0.269, and the result -1.076",
        [&] {
            return my_swiglu(f64({1, 2}, {1, 2}), w, v, w2);
        },
        number(-4 * half),
        {.formula = "silu(z) = z / (1 + exp(-z))",
         .mistakes = {
             {"the gate is a sigmoid, as in the first gated linear units; silu multiplies it by z",
              number(4 * half)},
             {"the gate is a relu", number(0)}}});
    Rng rng(1);
    const auto random = [&](const Shape& shape) {
        return normal(shape, 0, 1, rng, Dtype::float64);
    };
    const Tensor x = random({4, 3}), a = random({5, 3}), b = random({5, 3}), c = random({3, 5});
    judge.equal(
        "four tokens of width 3, with five units", [&] { return my_swiglu(x, a, b, c); },
        linear(silu(linear(x, a)) * linear(x, b), c),
        {.mistakes = {{"W and V are exchanged", linear(silu(linear(x, b)) * linear(x, a), c)}}});
    judge.gradient("the gradients of tokens and matrices",
                   [](const auto& in) { return my_swiglu(in[0], in[1], in[2], in[3]); },
                   {x, a, b, c});
    const auto units = [&](int64_t width, int64_t hidden, double expected) {
        judge.number(
            "units of a network of width " + std::to_string(width) + " instead of " +
                std::to_string(hidden),
            [&] { return static_cast<double>(my_units(width, hidden)); }, expected,
            {.tolerance = 1e-9,
             .formula = "3 F' D weights, at most 2 F D",
             .mistakes = {
                 {"with so many units the network has one and a half times as many weights",
                  static_cast<double>(hidden)},
                 {"a half is too few: W2 is there in both networks",
                  static_cast<double>(hidden / 2)},
                 {"rounded up, the network has more weights than before", expected + 1}}});
    };
    units(64, 256, 170);
    units(768, 3072, 2048);
    units(5, 20, 13);
}
