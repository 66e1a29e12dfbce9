#include "lessons/course/exercise/judge.h"

#include HEED_ANSWER

void judge(course::Judge& judge) {
    judge.number(
        "the loss after a collapse", my_collapse, std::log(64.),
        {.formula = "-ln of the probability that the right caption gets",
         .mistakes = {{"this is the attraction loss; here the others of the batch count", 0},
                      {"both directions have this loss, and L is their mean, not their sum",
                       2 * std::log(64.)},
                      {"this is the probability of the right caption", 1. / 64},
                      {"tau divides the scores, not the loss", std::log(64.) / 0.07},
                      {"this is the loss of two equal scores", std::log(2.)},
                      {"the right caption is one of the 64", std::log(63.)},
                      {"the logarithm of the lesson has the base e", 6},
                      {"the logarithm of the lesson has the base e", std::log10(64.)}}});
    judge.number(
        "the probability with tau = 0.1", my_probability, std::exp(10.) / (std::exp(10.) + 63),
        {.tolerance = 2e-4,
         .formula = "e^(1 / tau) / (e^(1 / tau) + 63 e^0)",
         .mistakes = {
             {"the cosine is multiplied by tau, not divided", std::exp(0.1) / (std::exp(0.1) + 63)},
             {"a wrong caption has e^0 = 1, not 0", 1},
             {"the wrong captions are 63, and each has e^0 = 1; this counts one",
              std::exp(10.) / (std::exp(10.) + 1)}}});
    judge.number(
        "the recall of guessing which one is dark", my_recall, 0.75,
        {.tolerance = 1e-4,
         .mistakes = {
             {"in half of the scenes both shades are equal: nothing to guess", 0.5},
             {"this is a network that does not know the order of the words either", 0.375},
             {"only scenes with two dark signs were counted as certain", 0.625},
             {"the number of dark signs is known, so two scenes are left, not four", 0.25}}});
}
