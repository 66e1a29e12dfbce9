#include "lessons/course/exercise/judge.h"

#include <cmath>

#include "lessons/course/exercise/curve.h"

namespace {

constexpr int steps = 60;

// The derivative of the last of 61 states with respect to the state d steps before.
std::vector<double> of_one_number(double w) {
    std::vector<Tensor> h{tanh(scalar(1, Dtype::float64))};
    h[0].set_requires_grad();
    while (h.size() <= steps) h.push_back(tanh(w * h.back()));
    const std::vector<Tensor> before(h.begin(), h.end() - 1);
    const std::vector<Tensor> slopes = grad(h.back(), before);
    std::vector<double> left;
    for (auto slope = slopes.rbegin(); slope != slopes.rend(); ++slope)
        left.push_back(slope->item());
    return left;
}

// The length of a gradient that is multiplied by an orthogonal matrix at each step.
std::vector<double> of_rotations() {
    Rng rng(7);
    const Tensor W = orthogonal({16, 16}, rng);
    Tensor g = normal({1, 16}, 0, 1, rng);
    std::vector<double> left;
    for (int d = 1; d <= steps; ++d) {
        g = matmul(g, W);
        left.push_back(std::sqrt(sum(square(g)).item()));
    }
    return left;
}

std::vector<double> of_a_factor(double factor) {
    std::vector<double> left;
    for (int d = 1; d <= steps; ++d) left.push_back(std::pow(factor, d));
    return left;
}

}  // namespace

void judge(Judge& judge) {
    const double gate = 1 / (1 + std::exp(-3.));
    judge.choice("one number, w = 2", my_first, curve(of_one_number(2)),
                 {{"to take the factor w; it is (1 - h^2) w, and h is near 0.96", "rises"},
                  {"to take the state for its derivative: the state is kept, and still a small "
                   "change of it is lost",
                   "flat"}});
    judge.choice("an orthogonal matrix, no tanh", my_second, curve(of_rotations()),
                 {{"to expect that every gradient vanishes; without tanh only the matrix is left, "
                   "and it keeps the length",
                   "falls"},
                  {"to expect that an orthogonal matrix makes vectors longer; it keeps the length",
                   "rises"}});
    judge.choice("rho = 1.2, s = 0.8", my_third, curve(of_a_factor(1.2 * 0.8)),
                 {{"to put the border at rho = 1; the factor of a step is rho times s", "rises"},
                  {"to call a factor near 1 flat: it is multiplied sixty times", "flat"}});
    judge.choice("rho = 1.5, s = 0.8", my_fourth, curve(of_a_factor(1.5 * 0.8)),
                 {{"to expect that tanh always wins; compute rho times s", "falls"},
                  {"to expect a balance; compute rho times s", "flat"}});
    judge.number("the border with s = 0.8", my_border, 1 / 0.8,
                 {.formula = "the factor of a step is rho s",
                  .mistakes = {{"this is the border without tanh, where s is 1", 1},
                               {"this is s itself; then the factor is 0.64", 0.8},
                               {"this is 2 - s; the factors are multiplied, not added", 1.2}}});
    judge.choice(
        "a gate with the bias 3", my_fifth, curve(of_a_factor(gate)),
        {{"to take a gate near 1 for a gate of 1: compute sigma(3) to the power 60", "flat"},
         {"to take the bias for the factor; the factor is sigma(3), which is below 1", "rises"}});
}
