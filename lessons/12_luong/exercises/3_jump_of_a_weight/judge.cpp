#include "lessons/course/exercise/judge.h"

#include <cmath>

#include HEED_ANSWER

void judge(course::Judge& judge) {
    const double g = std::exp(-2.);
    judge.number(
        "the weight of the word that has just entered", my_jump, g / 10,
        {.tolerance = 0.00006,
         .mistakes = {
             {"the word 3 has left, and the word 13 has entered: count the words "
              "from 4 to 13",
              g / 11},
             {"this is the number for R = 2", g / 4},
             {"the softmax of the words in the window is missing", g},
             {"the Gaussian is missing", 0.1},
             {"the Gaussian has sigma = R / 2, and not R", std::exp(-0.5) / 10},
             {"the exponent has the factor 2 below: d^2 / (2 sigma^2)", std::exp(-4.) / 10},
             {"the softmax runs over the words in the window, not over all 20", g / 20},
             {"the word 13 is in the window, too", g / 9}}});
    judge.number("its weight without an edge", my_smooth_jump, g / 20,
                 {.tolerance = 0.00006,
                  .mistakes = {{"all 20 words are in the softmax now", g / 10},
                               {"the Gaussian is still there", 0.05},
                               {"the weight is not 0 any more; a Gaussian never is", 0},
                               {"the softmax is missing", g}}});
}
