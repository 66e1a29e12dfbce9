#include "lessons/course/exercise/judge.h"

#include <cmath>

#include HEED_ANSWER

void judge(course::Judge& judge) {
    judge.own({"Sgd", "Adam"});
    const auto list = [](std::vector<double> numbers) { return tensor(numbers, Dtype::float64); };
    judge.choice(
        "the cause", my_cause, "c",
        {{"to suspect the sign; with the wrong one, the first step would lead to 1.2", "a"},
         {"to suspect the rate, which nothing in the code changes", "b"},
         {"to suspect the order, which is right: first the gradient, then the step", "d"},
         {"to suspect the loss; with another one, the first step would be wrong as well", "e"}});
    const Loss square_of = [](const Tensor& theta) { return square(theta); };
    judge.equal("the loss theta^2 from 1: 0.8, 0.64 and 0.512",
                [&] { return list(my_descent(square_of, 1, 0.1, 3)); }, list({0.8, 0.64, 0.512}),
                {.formula = "theta = theta - rate times the gradient at theta",
                 .mistakes = {{"the gradients still add up: 2, then 2 + 1.6, then 2 + 1.6 + 0.88",
                               list({0.8, 0.44, -0.008})},
                              {"the rate was changed, and the gradients still add up",
                               list({0.8, 0.62, 0.62 - 0.1 / 3 * (3.6 + 1.24)})},
                              {"the parameter does not move at all", list({1, 1, 1})}}});
    judge.equal(
        "the rate 1.1 of the lesson: -1.2, 1.44, -1.728",
        [&] { return list(my_descent(square_of, 1, 1.1, 3)); }, list({-1.2, 1.44, -1.728}));
    // Another loss, whose derivative is worked out here.
    std::vector<double> expected;
    double theta = 0.3;
    for (int i = 0; i < 20; ++i) {
        theta -= 0.2 * (std::cos(theta) + 0.5 * theta);
        expected.push_back(theta);
    }
    judge.equal(
        "twenty steps with sin(theta) + theta^2 / 4",
        [&] {
            return list(
                my_descent([](const Tensor& x) { return sin(x) + square(x) / 4.; }, 0.3, 0.2, 20));
        },
        list(expected));
    judge.holds(
        "no steps at all", [&] { return my_descent(square_of, 1, 0.1, 0).empty(); },
        "Zero steps should return an empty path.");
}
