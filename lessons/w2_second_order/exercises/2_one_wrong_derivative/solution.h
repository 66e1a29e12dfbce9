#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "lessons/course/exercise/write.h"

using Function = std::function<double(double x)>;

// In float64 the best step is near the cube root of the precision (lesson {gradient_check}), so
// about 1e-5.
double my_slope(const Function& f, double x) {
    const double h = 1e-5;
    return (f(x + h) - f(x - h)) / (2 * h);
}

// Right for positive x, and wrong for all negative ones: at -0.5 it says 4, where 0.44 is right. A
// check with positive inputs alone does not see it.
std::string my_suspect() { return "softsign"; }

struct Differentiated {
    std::string name;
    Function value, derivative;
};

inline double sigma(double x) { return 1 / (1 + std::exp(-x)); }

std::vector<Differentiated> six_functions() {
    return {
        {"tanh", [](double x) { return std::tanh(x); },
         [](double x) { return 1 - std::tanh(x) * std::tanh(x); }},
        {"sigmoid", [](double x) { return sigma(x); },
         [](double x) { return sigma(x) * (1 - sigma(x)); }},
        {"softplus", [](double x) { return std::log(1 + std::exp(x)); },
         [](double x) { return sigma(x); }},
        {"softsign", [](double x) { return x / (1 + std::abs(x)); },
         [](double x) { return 1 / ((1 + std::abs(x)) * (1 + std::abs(x))); }},
        {"swish", [](double x) { return x * sigma(x); },
         [](double x) { return sigma(x) + x * sigma(x) * (1 - sigma(x)); }},
        {"bump", [](double x) { return std::exp(-x * x); },
         [](double x) { return -2 * x * std::exp(-x * x); }},
    };
}
