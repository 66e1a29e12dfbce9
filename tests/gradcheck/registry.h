// The list of everything whose gradient is checked: by `./heed gradcheck`, and by the tests. A file of
// cases adds to it:
//
//     static const bool added = add_cases([] {
//         return std::vector<Case>{{"tanh [2, 3]", [](const auto& x) { return tanh(x[0]); },
//                                   {sample({2, 3})}}};
//     });
//
// The first word of a case's name is the public name of what it checks. Every case must show a gradient
// for each of its inputs that is not small; where a gradient is 0 in truth, the case says so and why.
// The function of a case follows the dtype of its inputs, because tests run it in float32 as well:
// constants are brought to it with like().
#pragma once

#include <string>
#include <vector>

#include "autograd/autograd.h"

namespace heed {

// An input whose gradient is 0: its name, or the end of several names ("key.bias").
struct ZeroGradient {
    std::string input, reason;
};

struct Case {
    std::string name;
    DifferentiableFunction f;
    std::vector<Tensor> inputs;           // float64
    std::vector<std::string> names = {};  // of the inputs; empty: "x0", "x1", ...
    std::vector<ZeroGradient> zero = {};
    int highest_order = 2;
    // f in float32 has an error of so many units of rounding more than its operations explain, because
    // a small error of an intermediate result is amplified.
    double condition = 1;

    // The same case with an exemption.
    Case zero_gradient(const std::string& input, const std::string& reason) const;
    Case first_order_only(const std::string& reason) const;
    Case conditioned(double factor, const std::string& reason) const;
};

using MakeCases = std::vector<Case> (*)();
bool add_cases(MakeCases make);
std::vector<Case> all_cases();  // sorted by name

// Whether an input has more than a thousand elements; slow without optimisation.
bool is_large(const Case& one);

// The check of one case, up to its highest order. Throws if an exemption names no input.
GradcheckReport check_case(const Case& one, int order, GradcheckOptions options = {});

// Numbers from [low, high], float64, no two alike, the same at every call with the same seed.
Tensor sample(const Shape& shape, double low = -1, double high = 1, uint64_t seed = 1);

// A constant in the dtype of x.
inline Tensor like(const Tensor& x, const Tensor& constant) {
    return to_dtype(constant, x.dtype());
}

}  // namespace heed
