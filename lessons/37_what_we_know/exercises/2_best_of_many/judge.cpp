#include "lessons/course/exercise/judge.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include HEED_ANSWER

// By Pascal's triangle: after each coin the probability of k heads.
double luck_by_triangle(int seeds, int bar) {
    std::vector<double> p(static_cast<std::size_t>(seeds) + 1, 0.0);
    p[0] = 1;
    for (int coin = 0; coin < seeds; ++coin)
        for (std::size_t k = p.size() - 1;; --k) {
            p[k] = 0.5 * p[k] + (k > 0 ? 0.5 * p[k - 1] : 0);
            if (k == 0) break;
        }
    double sum = 0;
    for (int k = std::max(bar, 0); k <= seeds; ++k) sum += p[static_cast<std::size_t>(k)];
    return sum;
}

void judge(course::Judge& judge) {
    const auto best = [](int ideas, int seeds, int bar) {
        return 1 - std::pow(1 - luck_by_triangle(seeds, bar), ideas);
    };
    judge.number("one idea, 3 seeds, bar 2", [] { return my_luck(3, 2); }, 0.5,
                 {.tolerance = 1e-9,
                  .formula = "(3 + 1) / 8",
                  .mistakes = {{"this is the probability of exactly so many seeds", 3. / 8},
                               {"this is the probability of more than the bar", 1. / 8},
                               {"the sum is not divided by the number of results", 4}}});
    judge.number("one idea, 20 seeds, bar 15", [] { return my_luck(20, 15); },
                 luck_by_triangle(20, 15),
                 {.tolerance = 1e-9,
                  .formula = "21700 / 2^20",
                  .mistakes = {{"this is the probability of exactly so many seeds",
                                15504 / std::pow(2, 20)}}});
    judge.number("a bar of 0 is always kept", [] { return my_luck(20, 0); }, 1,
                 {.tolerance = 1e-9});
    judge.number(
        "the best of 2, 3 seeds, bar 3", [] { return my_best(2, 3, 3); }, best(2, 3, 3),
        {.tolerance = 1e-9,
         .formula = "1 - (7/8)^2",
         .mistakes = {{"the probabilities are added, but both ideas may keep the bar", 0.25},
                      {"this is the probability that all ideas keep the bar", 1. / 64},
                      {"this is the probability that no idea keeps the bar", 49. / 64}}});
    judge.number("the best of 60, 20 seeds, bar 16", [] { return my_best(60, 20, 16); },
                 best(60, 20, 16), {.tolerance = 1e-9});
    judge.number("the bar for 2 ideas, 3 seeds, at most 0.25", [] { return my_bar(2, 3, 0.25); }, 3,
                 {.tolerance = 1e-9});
    const auto bar = [&](int ideas, double most) {
        int found = 0;
        while (found <= 20 && best(ideas, 20, found) > most) ++found;
        return found;
    };
    for (int ideas : {1, 20, 1000})
        judge.number("the bar for " + std::to_string(ideas) + " ideas, 20 seeds, at most 0.05",
                     [&] { return my_bar(ideas, 20, 0.05); }, bar(ideas, 0.05),
                     {.tolerance = 1e-9,
                      .mistakes = {{"this is the bar for one idea", double(bar(1, 0.05))},
                                   {"this is the last bar that luck keeps too often",
                                    double(bar(ideas, 0.05) - 1)}}});
    judge.number("100 ideas and 3 seeds: no bar is strict enough",
                 [] { return my_bar(100, 3, 0.05); }, 4,
                 {.tolerance = 1e-9,
                  .formula = "seeds + 1",
                  .mistakes = {{"a bar of all seeds is still kept too often", 3}}});
}
