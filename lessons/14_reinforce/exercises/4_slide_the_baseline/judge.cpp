#include "lessons/course/exercise/judge.h"

#include <cmath>

#include "lessons/course/exercise/curve.h"

namespace {

constexpr double p[] = {0.75, 0.25}, loss[] = {1, 5}, slope[] = {0.25, -0.75};

struct Estimate {
    double mean, variance;
};

// Of (L - b) times the slope. The baseline is a number and a share of the loss.
Estimate estimate(double added, double number, double share) {
    double mean = 0, square = 0;
    for (int a = 0; a < 2; ++a) {
        const double L = loss[a] + added, e = (L - number - share * L) * slope[a];
        mean += p[a] * e;
        square += p[a] * e * e;
    }
    return {mean, square - mean * mean};
}

std::vector<double> plot(double last, const std::function<double(double)>& f) {
    std::vector<double> y;
    for (int i = 0; i <= 40; ++i) y.push_back(f(last * i / 40));
    return y;
}

}  // namespace

void judge(Judge& judge) {
    const std::vector<double> variance =
        plot(8, [](double b) { return estimate(0, b, 0).variance; });
    const double lowest =
        8. / 40 *
        static_cast<double>(std::min_element(variance.begin(), variance.end()) - variance.begin());
    judge.choice(
        "the variance against b", my_variance, curve(variance),
        {{"to expect that more is always better; compute the estimates with b = 8", "falls"},
         {"to take the variance for the mean; it is the mean that b does not change", "flat"},
         {"to begin at the best baseline; compute the variance for b = 0 and b = 1", "rises"}});
    judge.number(
        "where the variance is lowest", my_lowest, lowest,
        {.formula = "b* = E[L g^2] / E[g^2]",
         .mistakes = {{"this is the mean loss; the best baseline gives each loss the additional "
                       "weight g^2",
                       2},
                      {"this is the mean of the two losses, without the probabilities", 3},
                      {"the weights g^2 are there and the probabilities are not", 4.6},
                      {"this is the loss of B; nothing is left of its estimate, but A's has the "
                       "factor -4",
                       5}}});
    judge.choice(
        "the expectation against b", my_mean,
        curve(plot(8, [](double b) { return estimate(0, b, 0).mean; })),
        {{"to subtract b from one of the losses only; from both, b (0.75 * 0.25 - 0.25 * 0.75) = 0 "
          "goes away",
          "falls"},
         {"to subtract b from one of the losses only; from both, b (0.75 * 0.25 - 0.25 * 0.75) = 0 "
          "goes away",
          "rises"},
         {"to take the mean for the variance; compute the mean for b = 0 and b = 4", "valley"}});
    judge.choice(
        "the variance against a number added to both losses", my_larger_losses,
        curve(plot(10, [](double a) { return estimate(a, 0, 0).variance; })),
        {{"to expect that the variance of the loss decides; it stays, but the estimates are "
          "the losses times a factor",
          "flat"},
         {"to add the number to b; to add it to both losses is to subtract it from b", "valley"},
         {"to add the number to b; to add it to both losses is to subtract it from b", "falls"}});
    judge.choice(
        "the bias against the share of the own loss", my_own_loss,
        curve(plot(
            1, [](double c) { return std::abs(estimate(0, 0, c).mean - estimate(0, 0, 0).mean); })),
        {{"to use the proof, which needs a b that does not depend on the choice", "flat"},
         {"to take the length of the mean for its bias; the mean gets shorter, so it is "
          "farther from the derivative",
          "falls"},
         {"to take the bias for the variance; compute the mean for c = 0, 1/2 and 1", "valley"}});
}
