//! # One of six derivatives is wrong
//!
//! *Find the bug.* This file has six functions of one number, each with its derivative. One of the
//! derivatives is wrong. Networks train with it all the same.
//!
//! * tanh: $\tanh x$
//! * sigmoid: $1 / (1 + e^{-x})$
//! * softplus: $\ln (1 + e^x)$
//! * softsign: $x / (1 + |x|)$
//! * swish: $x / (1 + e^{-x})$, which is $x$ times the sigmoid
//! * bump: $e^{-x^2}$
//!
//! 1. `my_slope(f, x)` estimates the derivative of $f$ at $x$ with a central difference, as in
//!    lesson {gradient_check}. Choose the step. The error must be below $10^{-8}$ for these
//!    functions.
//! 2. `my_suspect()` returns the name of the function with the wrong derivative. Use your
//!    `my_slope` to find it: print a table in a small program, or read the six formulas and check
//!    the one you doubt. At which inputs should one test?
//! 3. Mend the derivative in this file.
//!
//! Level 1 of 3, about 15 minutes.
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "lessons/course/exercise/write.h"

using Function = std::function<double(double x)>;

double my_slope(const Function& f, double x) { not_written(); }

std::string my_suspect() { not_written(); }

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
         [](double x) { return 1 / ((1 + x) * (1 + x)); }},
        {"swish", [](double x) { return x * sigma(x); },
         [](double x) { return sigma(x) + x * sigma(x) * (1 - sigma(x)); }},
        {"bump", [](double x) { return std::exp(-x * x); },
         [](double x) { return -2 * x * std::exp(-x * x); }},
    };
}
