#include "lessons/course/exercise/judge.h"

#include <algorithm>
#include <cmath>
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

// A product of equal factors, for the distances 1 to 50.
std::vector<double> powers(double factor) {
    std::vector<double> y;
    for (int d = 1; d <= 50; ++d) y.push_back(std::pow(factor, d));
    return y;
}

void judge(course::Judge& judge) {
    double settled = 1;
    for (int n = 0; n < 100; ++n) settled = std::tanh(2 * settled);
    std::vector<double> gate;
    for (const double b : {0., 1., 2., 3., 4., 5.})
        gate.push_back(std::pow(1 / (1 + std::exp(-b)), 50));
    int distance = 1;
    while (std::pow(0.9, distance) >= 0.01) ++distance;

    judge.choice(
        "h = 0.9 h + x: against the distance", my_linear, shape_of(powers(0.9)),
        {{"to look at one step only, whose derivative is 0.9 everywhere; over d steps the "
          "factors are multiplied",
          "flat"},
         {"to count the inputs in: a state that is further back has not more influence", "rises"}});
    judge.choice(
        "h = tanh(h) at 0: against the distance", my_tanh,
        shape_of(powers(1 - std::tanh(0.) * std::tanh(0.))),
        {{"to expect that tanh always makes the gradient smaller: at 0 its derivative is 1",
          "falls"}});
    judge.choice(
        "h = tanh(2 h) at 0.9575: against the distance", my_saturated,
        shape_of(powers(2 * (1 - settled * settled))),
        {{"to look at the weight 2 only: at 0.9575 the derivative of tanh is small", "rises"},
         {"to take a state that stays the same for a derivative that stays the same", "flat"}});
    judge.choice(
        "the gate, 50 steps back: against its bias", my_gate, shape_of(gate),
        {{"to take the share of the new input, 1 - z, for that of the old state, z", "falls"},
         {"to look at the distance, which stays 50; the bias changes the gate", "flat"}});
    judge.number(
        "the first distance with less than a hundredth", my_distance, distance,
        {.tolerance = 1e-6,
         .formula = "0.9^d < 0.01",
         .mistakes = {{"at this distance it is still a little above a hundredth", distance - 1.},
                      {"this is where it falls below a tenth", 22},
                      {"the factors are multiplied, and not subtracted", 10}}});
}
