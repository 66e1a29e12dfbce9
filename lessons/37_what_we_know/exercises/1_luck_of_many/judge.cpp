#include "lessons/course/exercise/judge.h"

#include <cmath>
#include <vector>

#include HEED_ANSWER

void judge(course::Judge& judge) {
    const std::vector<double> three{0.1, 0.2, 0.5};
    judge.number("expected failures for 0.1, 0.2 and 0.5", [&] { return my_expected(three); }, 0.8,
                 {.tolerance = 1e-9,
                  .formula = "p_1 + p_2 + p_3",
                  .mistakes = {{"this is the mean of the probabilities, not their sum", 0.8 / 3}}});
    judge.number("at least one fails, for 0.1, 0.2 and 0.5", [&] { return my_at_least_one(three); },
                 0.64,
                 {.tolerance = 1e-9,
                  .formula = "1 - (1 - p_1) (1 - p_2) (1 - p_3)",
                  .mistakes = {{"this is the expected number; it can be larger than 1", 0.8},
                               {"this is the probability that none fails", 0.36},
                               {"this is the probability that all fail", 0.01},
                               {"this is the probability that not all fail", 0.99}}});
    judge.number("no claims", [&] { return my_at_least_one({}); }, 0, {.tolerance = 1e-12});
    judge.number("each of 2, for 0.36 together", [&] { return my_each(2, 0.36); }, 0.2,
                 {.tolerance = 1e-9,
                  .formula = "1 - (1 - together)^(1/n)",
                  .mistakes = {{"this divides by n; a claim may fail a little more often, because "
                                "two failures at once count only once",
                                0.18},
                               {"this is the probability that one claim holds", 0.8},
                               {"the power is n, not 1/n", 1 - 0.64 * 0.64},
                               {"for a whole n, 1 / n is 0 in C++; write 1.0 / n", 0}}});

    Rng rng(5);
    std::vector<double> many(300);
    double none = 1, sum = 0;
    for (double& p : many) {
        p = rng.uniform(0, 0.02);
        none *= 1 - p, sum += p;
    }
    judge.number("300 claims: expected failures", [&] { return my_expected(many); }, sum,
                 {.tolerance = 1e-9});
    judge.number("300 claims: at least one", [&] { return my_at_least_one(many); }, 1 - none,
                 {.tolerance = 1e-9});
    judge.number("each of 223, for 0.05 together", [&] { return my_each(223, 0.05); },
                 1 - std::pow(0.95, 1. / 223), {.tolerance = 1e-9});
}
