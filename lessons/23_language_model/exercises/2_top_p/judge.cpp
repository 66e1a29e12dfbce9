#include "lessons/course/exercise/judge.h"

#include <cmath>

#include HEED_ANSWER

void judge(course::Judge& judge) {
    judge.own({"sampling_distribution", "sample_decode"});
    const auto list = [](const std::vector<double>& numbers) {
        return tensor(numbers, Dtype::float64);
    };
    const auto mine = [&](std::vector<double> probabilities, double p) {
        return [=] { return list(my_top_p(probabilities, p)); };
    };
    const char* formula = "keep the fewest whose sum is at least p, and divide them by their sum";
    judge.equal("0.665, 0.245 and 0.090 with p = 0.8", mine({0.665, 0.245, 0.09}, 0.8),
                list({0.665 / 0.91, 0.245 / 0.91, 0}),
                {.formula = formula,
                 .mistakes = {{"the character that passes p is left out", list({1, 0, 0})},
                              {"what is kept is not divided by its sum", list({0.665, 0.245, 0})},
                              {"what is kept is divided by p, not by its sum",
                               list({0.665 / 0.8, 0.245 / 0.8, 0})},
                              {"nothing is left out", list({0.665, 0.245, 0.09})}}});
    judge.equal("0.1, 0.6, 0.05 and 0.25 with p = 0.7: the places stay",
                mine({0.1, 0.6, 0.05, 0.25}, 0.7), list({0, 0.6 / 0.85, 0, 0.25 / 0.85}),
                {.formula = formula,
                 .mistakes = {{"the result is sorted; every character has to keep its place",
                               list({0.6 / 0.85, 0.25 / 0.85, 0, 0})},
                              {"the characters are not sorted by probability first",
                               list({0.1 / 0.7, 0.6 / 0.7, 0, 0})},
                              {"the character that passes p is left out", list({0, 1, 0, 0})}}});
    judge.equal("0.5, 0.25, 0.1875 and 0.0625 with p = 0.75: exactly enough is enough",
                mine({0.5, 0.25, 0.1875, 0.0625}, 0.75), list({2. / 3, 1. / 3, 0, 0}),
                {.formula = formula,
                 .mistakes = {{"a sum of exactly p is enough already",
                               list({0.5 / 0.9375, 0.25 / 0.9375, 0.1875 / 0.9375, 0})}}});
    judge.equal("p = 0.001 keeps one character", mine({0.2, 0.7, 0.1}, 0.001), list({0, 1, 0}));
    judge.equal("p = 0 keeps one character, too", mine({0.2, 0.7, 0.1}, 0), list({0, 1, 0}));
    judge.equal("p = 1 keeps all", mine({0.5, 0.125, 0.375}, 1), list({0.5, 0.125, 0.375}));
    Rng rng(1);
    for (double p : {0.3, 0.6, 0.9, 0.99}) {
        const Tensor logits = normal({11}, 0, 2, rng, Dtype::float64);
        judge.equal("eleven random characters, p = " + std::to_string(p).substr(0, 4),
                    mine(softmax(logits).to_vector(), p),
                    list(sampling_distribution(log_softmax(logits).to_vector(), {.top_p = p})));
    }
}
