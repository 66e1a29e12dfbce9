// Is a gradient right? Compares what backward computes with finite differences, in float64.
//
//     Rng rng(1);
//     fmt::print("{}\n", gradcheck([](const auto& x) { return tanh(x[0]); },
//                                  {normal({2, 3}, 0, 1, rng, Dtype::float64)}));
//
// The output is weighed with random numbers c (a covector) and L = Σ c f(x) differentiated. A plain
// sum would be blind: each row of a softmax sums to 1, so one with a zero backward would pass.
// Small inputs are checked element by element, (L(x + h e) - L(x - h e)) / 2h; large ones along random
// directions as well. Each difference is taken with two step sizes and extrapolated (Richardson), and
// the error is relative to the larger of the two numbers, or to 1.
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "autograd/ops/random.h"
#include "autograd/tensor/tensor.h"

namespace heed {

struct GradcheckOptions {
    int order = 1;          // 2 checks the gradient of the gradient as well
    double tolerance = 0;   // 0: 1e-7 for order 1, 1e-5 for order 2
    double step = 1e-3;     // of the differences, after extrapolation of order step⁴
    int64_t full_below = 64;  // inputs with at most so many elements are checked one by one
    int directions = 8;     // random directions for larger ones
    uint64_t seed = 1;      // of covector and directions
};

struct GradcheckReport {
    bool pass = true;
    int order = 1;
    double max_error = 0;   // relative
    double tolerance = 0;
    int input = 0;          // where the largest error is: which input,
    int64_t index = 0;      // which element of it in row-major order (-1: a random direction),
    double analytic = 0;    // what backward says
    double numeric = 0;     // what the differences say
};
std::string to_string(const GradcheckReport& report);

using DifferentiableFunction = std::function<Tensor(const std::vector<Tensor>&)>;

// f must be a function: the same inputs give the same output (seed any randomness inside it). Inputs
// are float64; those with requires_grad() false are made leaves, all are checked. Throws for float32.
GradcheckReport gradcheck(const DifferentiableFunction& f, const std::vector<Tensor>& inputs,
                          const GradcheckOptions& options = {});

}  // namespace heed

template <>
struct fmt::formatter<heed::GradcheckReport> {
    constexpr auto parse(fmt::format_parse_context& context) { return context.begin(); }
    auto format(const heed::GradcheckReport& report, fmt::format_context& context) const {
        const std::string text = heed::to_string(report);
        return std::copy(text.begin(), text.end(), context.out());
    }
};
