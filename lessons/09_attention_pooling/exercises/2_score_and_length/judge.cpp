#include "lessons/course/exercise/judge.h"

#include <cmath>

#include HEED_ANSWER

void judge(course::Judge& judge) {
    judge.number(
        "the score for the weight 0.9 among 100 words", my_score, std::log(900.),
        {.tolerance = 0.0012,
         .mistakes = {
             {"this is e to the score; take its logarithm", 900},
             {"an everyday word with the score 0 has the exponential 1, not 0", std::log(0.9)},
             {"the telling word is in the divisor, too", std::log(90.)},
             {"this weight is 0.5", std::log(100.)},
             {"the logarithm to the base 10 was taken, not the natural one", std::log10(900.)},
             {"the weights of all everyday words together are 0.1, not that of "
              "each of them",
              std::log(9.)}}});
    judge.number(
        "how much it grows with ten times as many words", my_growth, std::log(10.),
        {.tolerance = 0.0015,
         .mistakes = {
             {"this is the new score; the difference is asked", std::log(9000.)},
             {"the score does not grow by a factor; it is e to the score that "
              "becomes ten times as large",
              10},
             {"it is the exponential that has to become ten times as large", 9 * std::log(900.)},
             {"the logarithm to the base 10 was taken, not the natural one", 1}}});
}
