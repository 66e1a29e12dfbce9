#include "lessons/course/exercise/judge.h"

#include <cmath>

#include HEED_ANSWER

void judge(course::Judge& judge) {
    judge.number(
        "the share of exact translations", my_share, std::pow(0.99, 35),
        {.tolerance = 0.0001,
         .mistakes = {
             {"the end symbol is a step, too", std::pow(0.99, 34)},
             {"the probabilities are multiplied, not the errors added", 1 - 0.35},
             {"the errors were added, and the end symbol was forgotten", 1 - 0.34},
             {"a clause is more than one step", std::pow(0.99, 5)},
             {"this is the share of translations with an error", 1 - std::pow(0.99, 35)}}});
    judge.number("the probability that is needed at each step", my_needed, std::pow(0.9, 1. / 35),
                 {.tolerance = 0.00004,
                  .mistakes = {{"the end symbol is a step, too", std::pow(0.9, 1. / 34)},
                               {"the error of 0.1 was divided by 35; the probabilities are "
                                "multiplied, so it is the 35th root",
                                1 - 0.1 / 35},
                               {"1 / 35 is 0 for C++; write 1. / 35", 1},
                               {"this is the power and not the root", std::pow(0.9, 35)}}});
}
