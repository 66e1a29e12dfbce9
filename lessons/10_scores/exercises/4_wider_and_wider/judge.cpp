#include "lessons/course/exercise/judge.h"

#include <cmath>

#include "lessons/course/exercise/curve.h"

#include HEED_ANSWER

namespace {

struct Measured {
    double entropy, gradient, variance;
};

// Of 32 keys and 400 queries. The scores are divided by D to the power given.
Measured measure(int64_t D, double power, bool one_matches) {
    Rng rng(10);
    const Tensor q = normal({400, 1, D}, 0, 1, rng);
    Tensor k = normal({400, 32, D}, 0, 1, rng);
    if (one_matches) k = concat({q, slice(k, 1, 1, 32)}, 1);
    const Tensor scores = matmul(q, transpose(k)) / std::pow(static_cast<double>(D), power);
    const Tensor a = softmax(scores), g = normal(a.shape(), 0, 1, rng);
    const Tensor gradient = a * (g - sum(a * g, -1, true));
    return {mean(sum(-a * log(a + 1e-30), -1)).item(), mean(sqrt(sum(square(gradient), -1))).item(),
            mean(square(scores)).item()};
}

std::vector<double> plot(double Measured::*what, double power, bool one_matches = false) {
    std::vector<double> y;
    for (int64_t D : {4, 16, 64, 256, 512}) y.push_back(measure(D, power, one_matches).*what);
    return y;
}

}  // namespace

void judge(course::Judge& judge) {
    judge.choice(
        "entropy, dot products", my_dot, course::curve(plot(&Measured::entropy, 0)),
        {{"to forget how the scores grow: their standard deviation is the root of D", "flat"},
         {"to turn the entropy around: it is 0 when one weight is 1, and large when all are equal",
          "rises"}});
    judge.choice(
        "entropy, scaled dot products", my_scaled, course::curve(plot(&Measured::entropy, 0.5)),
        {{"to forget the division: the scores have the variance 1 at every width", "falls"},
         {"to divide too much; the division by the root keeps the variance at 1", "rises"}});
    judge.choice("entropy, scaled, one key equal to the query", my_match,
                 course::curve(plot(&Measured::entropy, 0.5, true)),
                 {{"to trust the division: it is made for independent vectors. The score of the "
                   "equal key is |q|^2 divided by the root of D",
                   "flat"},
                  {"to turn the entropy around: it is 0 when one weight is 1", "rises"}});
    judge.choice(
        "gradient of the scores, dot products", my_gradient,
        course::curve(plot(&Measured::gradient, 0)),
        {{"to expect larger gradients from larger scores; put the weights 1 and 0 into the "
          "formula of the softmax",
          "rises"},
         {"to look at the g_j only, which are the same at every width; each is multiplied "
          "by its weight",
          "flat"}});
    judge.choice(
        "variance of the scores divided by D", my_variance,
        course::curve(plot(&Measured::variance, 1)),
        {{"to divide the variance by D; a number divided by D has its variance divided by D^2",
          "flat"},
         {"this holds without a division", "rises"}});
    judge.number(
        "the entropy with scores divided by D, at a large width", my_limit, std::log(32.),
        {.tolerance = 3e-3,
         .formula = "the entropy is - sum_j a_j ln a_j",
         .mistakes = {{"this is the entropy of a single weight of 1; all scores become "
                       "equal, so no key stands out",
                       0},
                      {"this is the logarithm to base 2; the lesson takes the natural one", 5},
                      {"this is one of the weights, not their entropy", 1. / 32},
                      {"this is the entropy at a variance of 1; the variance goes to 0", 3.0}}});
}
