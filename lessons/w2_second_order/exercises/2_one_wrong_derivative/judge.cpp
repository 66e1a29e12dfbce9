#include "lessons/course/exercise/judge.h"

#include HEED_ANSWER

void judge(course::Judge& judge) {
    judge.own({"gradcheck", "scalar", "tensor", "grad"});
    // Worked by hand in lesson {gradient_check}: x^3 at 2 with h = 0.1 gives 12.01; the derivative is 12.
    const Function cube = [](double x) { return x * x * x; };
    const auto one = [](double number) { return scalar(number, Dtype::float64); };
    judge.holds(
        "x^3 at 2: about 12", [&] { return std::abs(my_slope(cube, 2) - 12) < 1; },
        "The derivative of x^3 at 2 is 12, and this estimate is off by more than 1. The "
        "formula: (f(x + h) - f(x - h)) / (2 h). Is h not 0, and is the division by 2 h and "
        "not by h?");
    // Without rounding, both differences of x^3 at 0 are h^2. That of x^2 at 1 is 2 if it is
    // central, and 2 + h or 2 - h if it is one-sided.
    const auto step = [&] { return std::sqrt(std::abs(my_slope(cube, 0))); };
    judge.holds(
        "the step is small enough", [&] { return step() < 1e-3; },
        "The step is too large: for x^3 the error of the formula is h^2, and it should be "
        "below 1e-6.");
    judge.holds(
        "the difference is central",
        [&] {
            const double error = my_slope([](double x) { return x * x; }, 1) - 2;
            return std::abs(std::abs(error) / step() - 1) > 0.1;
        },
        "The error for x^2 at 1 is h, so this is the one-sided difference. The central one "
        "takes a step to both sides.");
    judge.holds(
        "the step is not too small",
        [&] {
            const double slope = my_slope([](double x) { return std::sin(3 * x); }, 0.4);
            return std::abs(slope - 3 * std::cos(1.2)) < 1e-5;
        },
        "The error for sin(3 x) is large. The step is too small, so rounding decides.");
    judge.holds(
        "all six functions, wherever the derivative is known to be right",
        [&] {
            for (double x : {0.3, 1.1, 2.0})
                for (const Differentiated& f : six_functions())
                    if (f.name != "softsign" &&
                        std::abs(my_slope(f.value, x) - f.derivative(x)) > 1e-8)
                        return false;
            return true;
        },
        "The error is above 1e-8 at one of them. In float64 the best step is near the cube "
        "root of 1e-16. (Or a derivative was changed that was right.)");
    judge.choice("the suspect", my_suspect, "softsign",
                 {{"to doubt the two terms of swish; the rule of products gives both", "swish"},
                  {"to doubt softplus; its derivative really is the sigmoid", "softplus"},
                  {"to confuse 1 - y^2, which stands there and is right, with 1 - x^2", "tanh"},
                  {"to doubt the sigmoid s; its derivative is s (1 - s)", "sigmoid"},
                  {"to miss the factor -2 x of the chain rule, which is there", "bump"}});
    const std::vector<Differentiated> mine = six_functions();
    judge.holds(
        "the file still has six functions", [&] { return mine.size() == 6; },
        "One was added or removed.");
    const auto softsign = [&](double x) { return mine.at(3).derivative(x); };
    judge.holds(
        "the value of softsign is as it was",
        [&] { return std::abs(mine.at(3).value(-0.5) + 1. / 3) < 1e-12; },
        "The function itself was changed. Only its derivative is wrong.");
    judge.equal(
        "the derivative of softsign at 0.5 and at 2",
        [&] {
            return tensor({softsign(0.5), softsign(2)});
        },
        tensor({1 / 2.25, 1. / 9}));
    judge.equal("the derivative of softsign at a negative number, -0.5",
                [&] { return one(softsign(-0.5)); }, one(1 / 2.25),
                {.formula = "the slope of x / (1 - x) for negative x is 1 / (1 - x)^2",
                 .mistakes = {{"it is right for positive x only", one(4)},
                              {"the sign is wrong: softsign rises everywhere", one(-1 / 2.25)}}});
    judge.equal(
        "the derivative of softsign at -2 and 0",
        [&] {
            return tensor({softsign(-2), softsign(0)});
        },
        tensor({1. / 9, 1}));
    judge.holds(
        "all other derivatives are right",
        [&] {
            for (double x : {-1.7, -0.4, 0.9})
                for (const Differentiated& f : mine)
                    if (std::abs(my_slope(f.value, x) - f.derivative(x)) > 1e-7) return false;
            return true;
        },
        "A derivative that was right has been changed.");
}
