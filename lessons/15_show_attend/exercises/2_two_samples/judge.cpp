#include "lessons/course/exercise/judge.h"

#include <cmath>

#include HEED_ANSWER

void judge(course::Judge& judge) {
    const double high = std::log(0.8), low = std::log(0.2), half = std::log(0.5);
    const double marginal = std::log(0.56), one = 0.6 * high + 0.4 * low,
                 two = 0.36 * high + 0.48 * half + 0.16 * low;
    judge.number(
        "the logarithm of the probability of the right answer", my_log_marginal, marginal,
        {.mistakes = {{"this is a mean of logarithms; here the probabilities are added first", one},
                      {"both patches have been given the same weight", half},
                      {"this is the probability; its logarithm is wanted", 0.56},
                      {"the sign is that of the loss", -marginal},
                      {"this is the logarithm to the base 10", std::log10(0.56)},
                      {"this is the logarithm to the base 2", std::log2(0.56)}}});
    judge.number(
        "the bound with one sample", my_bound_of_one, one,
        {.mistakes = {
             {"this is the logarithm of the mean; here the logarithms are averaged", marginal},
             {"both patches have been given the same weight", (high + low) / 2},
             {"the sign is that of the loss", -one},
             {"this is the logarithm to the base 10", one / std::log(10.)}}});
    judge.number(
        "the bound with two samples", my_bound_of_two, two,
        {.mistakes = {{"one sample of each patch can be drawn in two orders, so this case "
                       "counts twice",
                       0.36 * high + 0.24 * half + 0.16 * low},
                      {"in the mixed case the probabilities are averaged, and then the "
                       "logarithm is taken, not the other way round",
                       one},
                      {"the two samples cannot be the same patch in this calculation, but "
                       "they may be",
                       half},
                      {"the probabilities are added, but not divided by the number of samples",
                       two + std::log(2.)},
                      {"this is the exact marginal, not the bound", marginal},
                      {"the sign is that of the loss", -two}}});
}
