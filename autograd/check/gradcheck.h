// Is a gradient right? Compares what backward computes with finite differences, in float64.
//
//     Rng rng(1);
//     fmt::print("{}\n", gradcheck([](const auto& x) { return tanh(x[0]); },
//                                  {normal({2, 3}, 0, 1, rng, Dtype::float64)}, {.order = 2}));
//
// Order 1 is the gradient, order 2 the gradient of the gradient, and so on. A check of order n checks
// every order from 1 to n: a wrong gradient that is itself differentiated correctly would pass a check
// of order 2 alone. The report has one entry for each order.
//
// The output y is weighed with random numbers c (a covector), and L = Σ c y differentiated. A plain sum
// would be blind: each row of a softmax sums to 1, so one with a zero backward would pass. From order 2
// on, L = Σ (c y + d y²/2), so that the gradient c + d y that arrives at f depends on x as well: a rule
// that treats its g as a constant is found only this way.
//
// Small inputs are checked element by element, (L(x + h e) - L(x - h e)) / 2h; large ones along random
// directions. Each difference is taken with two step sizes and extrapolated (Richardson). An error is
// relative to the element of the gradient, so that a small element is as well checked as a large one;
// along a direction, to the largest number found for its input. Below a thousandth of the output the
// error is relative to that, because the rest is lost in the rounding of the output. If that is so of a
// whole input, nothing is proved about it: such an input is called hollow, and the check fails, unless
// the caller states that this gradient is 0.
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "autograd/tensor/random.h"
#include "autograd/tensor/tensor.h"

namespace heed {

// The idea in its plainest form: the largest difference between an element of the gradient of f at x and
// the slope (f(x + h e) - f(x - h e)) / 2h. f gives one element, x is float64.
double gradcheck_definition(const std::function<Tensor(const Tensor&)>& f, const Tensor& x);

struct GradcheckOptions {
    int order = 1;         // n checks the orders 1 to n
    double tolerance = 0;  // 0: 1e-7 for order 1, 1e-5 for higher ones
    double floor = 1e-3;   // an input is hollow if its largest gradient, relative to the largest
                           // number of the output, is smaller than this; 0: no input is
    std::vector<int> zero = {};           // inputs whose gradient is 0; it is checked that it is
    std::vector<std::string> names = {};  // of the inputs, for the report
    double step = 1e-3;       // of the differences, after extrapolation of order step⁴
    int64_t full_below = 64;  // inputs with at most so many elements are checked one by one
    int directions = 8;       // random directions for larger ones
    uint64_t seed = 1;        // of covectors and directions
};

// What was found at one order.
struct GradcheckOrder {
    int order = 1;
    bool pass = true;      // no error above the tolerance, and no input hollow
    double max_error = 0;  // relative
    double tolerance = 0;
    int input = 0;        // where the largest error is: which input,
    int64_t index = 0;    // which element of it in row-major order (-1: a random direction),
    double analytic = 0;  // what backward says
    double numeric = 0;   // what the differences say
    std::vector<double> largest = {};  // each input's largest gradient, relative to the output
    std::vector<int> hollow = {};      // inputs about which nothing was proved
    double recorded_error = 0;  // from order 2 on: the difference between the gradient that is
                                // recorded (create_graph) and the one that is not, relative
};

// Its own fields are those of the first order that fails, or else of the highest order.
struct GradcheckReport : GradcheckOrder {
    std::string operation = {};  // the one that computed the output
    std::vector<std::string> names = {};
    std::vector<GradcheckOrder> orders = {};  // 1, 2, ...
};
// One line for each order; where it fails, the input, the index and both numbers.
std::string to_string(const GradcheckReport& report);

using DifferentiableFunction = std::function<Tensor(const std::vector<Tensor>&)>;

// Inputs are float64; those with requires_grad() false are made leaves, all are checked. Throws for
// float32, and if f is not a function of its inputs: it must compute the same at each call (random
// numbers are seeded inside it), whether or not gradients are recorded, and leave its inputs as they
// are.
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
