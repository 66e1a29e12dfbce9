#include "autograd/check/gradcheck.h"

#include <algorithm>
#include <cmath>

#include "autograd/backward/backward.h"
#include "autograd/ops/binary.h"
#include "autograd/ops/reductions.h"
#include "autograd/record/grad_mode.h"

namespace heed {
namespace {

// L = Σ c f(x): the output weighed with a random covector.
Tensor weigh(const Tensor& y, uint64_t seed) {
    Rng rng(seed);
    return sum(y * normal(y.shape(), 0, 1, rng, y.dtype()));
}

// x + scale * direction, without a graph.
Tensor moved(const Tensor& x, const Tensor& direction, double scale) {
    NoGrad no_grad;
    return x + direction * scale;
}

// The inputs as fresh leaves that want a gradient.
std::vector<Tensor> leaves_of(const std::vector<Tensor>& inputs) {
    std::vector<Tensor> leaves;
    for (const Tensor& x : inputs) leaves.push_back(detach(x).set_requires_grad());
    return leaves;
}

struct Comparison {
    const DifferentiableFunction& loss;  // one element
    const std::vector<Tensor>& inputs;
    const GradcheckOptions& options;
    GradcheckReport& report;

    // dL along a direction: (L(x + h d) - L(x - h d)) / 2h has an error c h² + O(h⁴); the steps h and
    // h/2 together cancel the c.
    double numeric(std::size_t input, const Tensor& direction) const {
        const auto loss_at = [&](double scale) {
            std::vector<Tensor> xs = inputs;
            xs[input] = moved(inputs[input], direction, scale);
            return loss(xs).item();
        };
        const auto difference = [&](double h) { return (loss_at(h) - loss_at(-h)) / (2 * h); };
        return (4 * difference(options.step / 2) - difference(options.step)) / 3;
    }

    void compare(std::size_t input, int64_t index, double analytic, const Tensor& direction) {
        const double found = numeric(input, direction);
        const double scale = std::max({1.0, std::abs(analytic), std::abs(found)});
        double error = std::abs(analytic - found) / scale;
        if (std::isnan(error)) error = std::numeric_limits<double>::infinity();
        if (error < report.max_error) return;
        report.max_error = error;
        report.input = static_cast<int>(input);
        report.index = index;
        report.analytic = analytic;
        report.numeric = found;
    }

    void run() {
        const std::vector<Tensor> leaves = leaves_of(inputs);
        const Tensor l = loss(leaves);
        std::vector<Tensor> gradients;
        if (l.requires_grad())
            gradients = grad(l, leaves);
        else  // a constant: all zeros, as the differences should be
            for (const Tensor& x : inputs) gradients.push_back(zeros_like(x));
        Rng rng(options.seed + 1);
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            const std::vector<double> analytic = gradients[i].to_vector();
            const int64_t count = inputs[i].numel();
            if (count <= options.full_below) {
                for (int64_t k = 0; k < count; ++k) {
                    std::vector<double> unit(count);
                    unit[k] = 1;
                    compare(i, k, analytic[k], tensor(unit, inputs[i].shape(), Dtype::float64));
                }
            } else {
                for (int k = 0; k < options.directions; ++k) {
                    const Tensor direction =
                        normal(inputs[i].shape(), 0, 1, rng, Dtype::float64) *
                        (1 / std::sqrt(static_cast<double>(count)));
                    compare(i, -1, sum(gradients[i] * direction).item(), direction);
                }
            }
        }
    }
};

}  // namespace

GradcheckReport gradcheck(const DifferentiableFunction& f, const std::vector<Tensor>& inputs,
                          const GradcheckOptions& options) {
    check(options.order == 1 || options.order == 2, "gradcheck: order must be 1 or 2, got {}",
          options.order);
    for (std::size_t i = 0; i < inputs.size(); ++i)
        check(inputs[i].dtype() == Dtype::float64,
              "gradcheck: input {} is {}; differences need float64 (to_dtype)", i,
              inputs[i].dtype());
    GradcheckReport report;
    report.order = options.order;
    report.tolerance =
        options.tolerance > 0 ? options.tolerance : (options.order == 1 ? 1e-7 : 1e-5);

    const DifferentiableFunction loss = [&](const std::vector<Tensor>& xs) {
        return weigh(f(xs), options.seed);
    };
    // Order 2 checks the function "gradient of L", weighed with covectors of its own.
    const DifferentiableFunction gradient = [&](const std::vector<Tensor>& xs) {
        const bool outer = std::any_of(xs.begin(), xs.end(),
                                       [](const Tensor& x) { return x.requires_grad(); });
        const std::vector<Tensor> leaves = outer ? xs : leaves_of(xs);
        const Tensor l = loss(leaves);
        Tensor total = scalar(0, Dtype::float64);
        if (!l.requires_grad()) return total;
        const std::vector<Tensor> gradients = grad(l, leaves, outer);
        for (std::size_t i = 0; i < gradients.size(); ++i)
            total = total + weigh(gradients[i], options.seed + 100 + i);
        return total;
    };
    const std::vector<Tensor> constants = [&] {
        std::vector<Tensor> copies;
        for (const Tensor& x : inputs) copies.push_back(detach(x));
        return copies;
    }();
    Comparison{options.order == 1 ? loss : gradient, constants, options, report}.run();
    report.pass = report.max_error <= report.tolerance;
    return report;
}

std::string to_string(const GradcheckReport& report) {
    std::string text =
        fmt::format("{} order {}: largest relative error {:.2e} (tolerance {:.0e})",
                    report.pass ? "pass" : "FAIL", report.order, report.max_error,
                    report.tolerance);
    if (!report.pass)
        text += fmt::format("\n  input {}, {}: backward says {:.12g}, differences say {:.12g}",
                            report.input,
                            report.index >= 0 ? fmt::format("element {}", report.index)
                                              : "along a random direction",
                            report.analytic, report.numeric);
    return text;
}

}  // namespace heed
