#include "lessons/course/exercise/judge.h"

#include <cmath>

#include HEED_ANSWER

void judge(course::Judge& judge) {
    const double z = std::pow(0.5, 0.02);
    judge.number(
        "the bias that keeps half of the gradient for 50 steps", my_answer, std::log(z / (1 - z)),
        {.tolerance = 0.0012,
         .mistakes = {{"this is the gate z that is needed, and not yet its bias", z},
                      {"z keeps half of the gradient at each step, so nothing is left "
                       "after 50",
                       0},
                      {"the sign of b is wrong: the gate is nearly closed", -std::log(z / (1 - z))},
                      {"the loss of 0.5 was divided among the steps, z = 1 - 0.5 / 50; "
                       "the factors are multiplied, not added",
                       std::log(0.99 / 0.01)},
                      {"z is e^b nowhere; the inverse of the sigmoid is needed, not "
                       "that of the exponential function",
                       std::log(z)}}});
}
