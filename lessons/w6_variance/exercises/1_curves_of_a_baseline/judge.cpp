#include "lessons/course/exercise/judge.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include HEED_ANSWER

// What a curve does from its first point to its last.
std::string shape_of(const std::vector<double>& y) {
    const double lowest = *std::min_element(y.begin(), y.end()),
                 highest = *std::max_element(y.begin(), y.end());
    if (highest - lowest < 1e-9) return "flat";
    if (std::is_sorted(y.begin(), y.end())) return "rises";
    if (std::is_sorted(y.rbegin(), y.rend())) return "falls";
    return "valley";
}

void judge(course::Judge& judge) {
    constexpr double p = 0.6, loss_a = 3, loss_b = 7, g_a = 1 - p, g_b = -p;
    // Mean and variance of the estimate, with a baseline for each camera.
    const auto mean = [&](double b_a, double b_b) {
        return p * (loss_a - b_a) * g_a + (1 - p) * (loss_b - b_b) * g_b;
    };
    const auto variance = [&](double b) {
        const double m = mean(b, b), of_a = (loss_a - b) * g_a - m, of_b = (loss_b - b) * g_b - m;
        return p * of_a * of_a + (1 - p) * of_b * of_b;
    };
    const auto curve = [](const std::function<double(double)>& y, std::vector<double> at) {
        for (double& x : at) x = y(x);
        return at;
    };
    const std::vector<double> baselines{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    judge.choice("the mean of the estimate against the baseline", my_mean,
                 shape_of(curve([&](double b) { return mean(b, b); }, baselines)),
                 {{"to expect that what is subtracted from the loss is missing in the mean: "
                   "compute b (0.6 * 0.4 - 0.4 * 0.6)",
                   "falls"},
                  {"to take the mean for the variance", "valley"}});
    judge.choice(
        "the variance against the baseline", my_variance, shape_of(curve(variance, baselines)),
        {{"to expect that more is better: with b = 10 both estimates are far apart again", "falls"},
         {"to take the variance for the mean, which does not change", "flat"}});
    const double lowest = (p * loss_a * g_a * g_a + (1 - p) * loss_b * g_b * g_b) /
                          (p * g_a * g_a + (1 - p) * g_b * g_b);
    judge.number(
        "the baseline with the smallest variance", my_lowest, lowest,
        {.tolerance = 1e-6,
         .formula = "E[L g^2] / E[g^2]",
         .mistakes = {{"this is the mean loss; a loss counts with its squared step, too",
                       p * loss_a + (1 - p) * loss_b},
                      {"this is the middle of the two losses", (loss_a + loss_b) / 2},
                      {"the losses are weighted by the size of g, not by its square",
                       (p * loss_a * g_a - (1 - p) * loss_b * g_b) / (p * g_a - (1 - p) * g_b)}}});
    judge.choice(
        "the variance of a mean against the number of estimates", my_samples,
        shape_of(curve([&](double n) { return variance(0) / n; }, {1, 2, 4, 8, 16})),
        {{"to take a mean for a sum: a sum of n estimates has n times the variance", "rises"},
         {"to take the variance of a mean for that of one estimate", "flat"}});
    judge.choice(
        "the bias against the share of the own loss", my_own,
        shape_of(
            curve([&](double c) { return std::abs(mean(c * loss_a, c * loss_b) - mean(0, 0)); },
                  {0, 0.25, 0.5, 0.75, 1})),
        {{"to forget that this baseline depends on the choice: then b cannot be taken out "
          "of the sum",
          "flat"},
         {"to take the size of the estimate for its bias: the estimate shrinks", "falls"}});
}
