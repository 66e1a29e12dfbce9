#include "autograd/check/gradcheck.h"

#include <cmath>
#include <limits>

#include "autograd/backward/backward.h"
#include "autograd/ops/elementwise/binary.h"
#include "autograd/ops/reduce/reductions.h"
#include "autograd/record/grad_mode.h"
#include "autograd/tensor/node.h"

namespace heed {

double gradcheck_definition(const std::function<Tensor(const Tensor&)>& f, const Tensor& x) {
    check(bool(f), "gradcheck_definition: there is no function f");
    check_defined("gradcheck_definition", x);
    const Tensor leaf = copy_of(x).set_requires_grad();
    const std::vector<double> gradient = grad(f(leaf), {leaf})[0].to_vector();
    constexpr double h = 1e-5;
    double worst = 0;
    for (int64_t i = 0; i < x.numel(); ++i) {
        const auto with_element_moved = [&](double by) {
            Tensor moved = copy_of(x);
            moved.edit<double>()[i] += by;
            return f(moved).item();
        };
        const double slope = (with_element_moved(h) - with_element_moved(-h)) / (2 * h);
        worst = std::max(worst, std::abs(gradient[i] - slope));
    }
    return worst;
}

namespace {

using Xs = std::vector<Tensor>;

double largest_of(const Tensor& x) {
    double largest = 0;
    for (double v : x.to_vector()) largest = std::max(largest, std::abs(v));
    return largest;
}

// The inputs as fresh leaves that want a gradient.
Xs leaves_of(const Xs& inputs) {
    Xs leaves;
    for (const Tensor& x : inputs) leaves.push_back(detach(x).set_requires_grad());
    return leaves;
}

bool any_recorded(const Xs& xs) {
    return std::any_of(xs.begin(), xs.end(), [](const Tensor& x) { return x.requires_grad(); });
}

// ------------------------------------------------------------------ what is differentiated

// L = Σ c y, or Σ (c y + d y²/2). The numbers d are small where y is large, so that both terms count.
class Covector {
  public:
    Covector(const Tensor& y, uint64_t seed, bool curved) {
        Rng rng(seed);
        c_ = normal(y.shape(), 0, 1, rng, Dtype::float64);
        const double largest = largest_of(y);
        if (curved)
            half_d_ = normal(y.shape(), 0, 0.5 / (largest > 0 ? largest : 1), rng, Dtype::float64);
    }
    Tensor operator()(const Tensor& y) const {
        return half_d_.defined() ? sum((c_ + half_d_ * y) * y) : sum(c_ * y);
    }

  private:
    Tensor c_, half_d_;
};

// The gradient of L with respect to all inputs, as a function: weighed with covectors of its own, it
// is a number again. Recorded if its inputs want gradients.
DifferentiableFunction gradient_of(const DifferentiableFunction& loss, const Xs& inputs,
                                   uint64_t seed) {
    std::vector<Covector> covectors;
    for (const Tensor& x : inputs) covectors.emplace_back(x, ++seed, false);
    return [=](const Xs& xs) {
        const bool recorded = any_recorded(xs);
        const Xs leaves = recorded ? xs : leaves_of(xs);
        const Tensor l = loss(leaves);
        Tensor total = scalar(0, Dtype::float64);
        if (!l.requires_grad()) return total;
        const Xs gradients = grad(l, leaves, recorded);
        for (std::size_t i = 0; i < gradients.size(); ++i)
            total = total + covectors[i](gradients[i]);
        return total;
    };
}

// ------------------------------------------------------------------------- the comparison

// The rounding of the output makes an error of about 1e-13 in the differences, relative to the output.
// An element of the gradient that is smaller than this is compared as if it were so large, because
// its error would be mostly rounding.
constexpr double resolution = 1e-3;

// One order: the gradient of `loss`, a function with one element, against its differences.
struct Comparison {
    const DifferentiableFunction& loss;
    const Xs& inputs;
    const GradcheckOptions& options;
    double size;  // of the largest number that the loss is a weighed sum of

    struct Pair {
        int64_t index;
        double analytic, numeric;
    };

    // x + scale * direction, without a graph.
    static Tensor moved(const Tensor& x, const Tensor& direction, double scale) {
        NoGrad no_grad;
        return x + direction * scale;
    }

    // dL along a direction: (L(x + h d) - L(x - h d)) / 2h has an error c h² + O(h⁴); the steps h and
    // h/2 together cancel the c.
    double numeric(std::size_t input, const Tensor& direction) const {
        const auto loss_at = [&](double scale) {
            Xs xs = inputs;
            xs[input] = moved(inputs[input], direction, scale);
            return loss(xs).item();
        };
        const auto difference = [&](double h) { return (loss_at(h) - loss_at(-h)) / (2 * h); };
        return (4 * difference(options.step / 2) - difference(options.step)) / 3;
    }

    std::vector<Pair> pairs_of(std::size_t input, const Tensor& gradient, Rng& rng) const {
        std::vector<Pair> pairs;
        const Shape& shape = inputs[input].shape();
        const int64_t count = shape.numel();
        if (count <= options.full_below) {
            const std::vector<double> analytic = gradient.to_vector();
            for (int64_t k = 0; k < count; ++k) {
                std::vector<double> unit(count);
                unit[k] = 1;
                pairs.push_back(
                    {k, analytic[k], numeric(input, tensor(unit, shape, Dtype::float64))});
            }
        } else {
            for (int k = 0; k < options.directions; ++k) {
                const Tensor direction = normal(shape, 0, 1, rng, Dtype::float64) *
                                         (1 / std::sqrt(static_cast<double>(count)));
                pairs.push_back({-1, sum(gradient * direction).item(), numeric(input, direction)});
            }
        }
        return pairs;
    }

    void compare(GradcheckOrder& report, int input, const std::vector<Pair>& pairs) const {
        double largest = 0;
        for (const Pair& p : pairs)
            for (double x : {p.analytic, p.numeric}) largest = std::max(largest, std::abs(x));
        report.largest.push_back(size > 0 ? largest / size : largest);

        const std::vector<int>& zero = options.zero;
        const bool is_zero = std::find(zero.begin(), zero.end(), input) != zero.end();
        const bool is_small = largest == 0 || largest < options.floor * size;
        if (!is_zero && !pairs.empty() && options.floor > 0 && is_small)
            report.hollow.push_back(input);

        for (const Pair& p : pairs) {
            const double larger = std::max(std::abs(p.analytic), std::abs(p.numeric));
            const double scale = is_zero ? 0 : p.index < 0 ? largest : larger;
            double error = is_zero ? larger : std::abs(p.analytic - p.numeric);
            if (error > 0) error /= std::max(scale, resolution * size);
            if (std::isnan(error)) error = std::numeric_limits<double>::infinity();
            if (error < report.max_error) continue;
            report.max_error = error;
            report.input = input;
            report.index = p.index;
            report.analytic = p.analytic;
            report.numeric = p.numeric;
        }
    }

    // The gradient of the loss: all zeros if it is a constant, as the differences should be.
    Xs gradients(double* recorded_loss) const {
        const Xs leaves = leaves_of(inputs);
        const Tensor l = loss(leaves);
        *recorded_loss = l.item();
        if (l.requires_grad()) return grad(l, leaves);
        Xs zeros;
        for (const Tensor& x : inputs) zeros.push_back(zeros_like(x));
        return zeros;
    }

    // Returns the largest number of the gradient: the next order's size.
    double run(GradcheckOrder& report) const {
        double recorded;
        const Xs all = gradients(&recorded);
        if (report.order > 1 && size > 0)
            report.recorded_error = std::abs(recorded - loss(inputs).item()) / size;
        Rng rng(options.seed + 1);
        double largest = 0;
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            compare(report, static_cast<int>(i), pairs_of(i, all[i], rng));
            largest = std::max(largest, largest_of(all[i]));
        }
        report.pass = report.max_error <= report.tolerance && report.hollow.empty() &&
                      report.recorded_error <= report.tolerance;
        return largest;
    }
};

// ------------------------------------------------------------------- what f and inputs must be

void check_inputs(const Xs& inputs, const GradcheckOptions& options) {
    check(options.order >= 1, "gradcheck: order must be at least 1, got {}", options.order);
    check(std::isfinite(options.step) && options.step > 0,
          "gradcheck: the step must be positive and finite, got {}", options.step);
    check(std::isfinite(options.tolerance) && options.tolerance >= 0 &&
              std::isfinite(options.floor) && options.floor >= 0,
          "gradcheck: tolerance and floor must be finite and at least 0, got {} and {}",
          options.tolerance, options.floor);
    check(options.full_below >= 0 && options.directions >= 1,
          "gradcheck: full_below must be at least 0 and directions at least 1, got {} and {}",
          options.full_below, options.directions);
    check(!inputs.empty(), "gradcheck: no inputs, so no gradient to check");
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        check(inputs[i].defined(), "gradcheck: input {} is not defined", i);
        check(inputs[i].dtype() == Dtype::float64,
              "gradcheck: input {} is {}; differences need float64 (to_dtype)", i,
              inputs[i].dtype());
    }
    for (int i : options.zero)
        check(i >= 0 && i < static_cast<int>(inputs.size()), "gradcheck: zero names input {} of {}",
              i, inputs.size());
}

// Throws unless y agrees with what f returned before, to `tolerance` of its largest number.
void check_same(const Tensor& before, const Tensor& y, double tolerance, const char* when,
                const char* advice) {
    check(y.shape() == before.shape(), "gradcheck: f returned {} and, {}, {}; {}", before.shape(),
          when, y.shape(), advice);
    const std::vector<double> a = before.to_vector(), b = y.to_vector();
    const double allowed = tolerance * largest_of(before);
    for (std::size_t k = 0; k < a.size(); ++k)
        if (!(std::abs(a[k] - b[k]) <= allowed))
            fail("gradcheck: element {} of f's output was {:.12g} and, {}, {:.12g}; {}", k, a[k],
                 when, b[k], advice);
}

// The output of f, which is a function and has finite numbers.
Tensor checked_output(const DifferentiableFunction& f, const Xs& inputs) {
    const Tensor y = f(inputs);
    check(y.defined(), "gradcheck: f returned a tensor that is not defined");
    check(y.dtype() == Dtype::float64,
          "gradcheck: f returned {} for float64 inputs; differences need float64 throughout",
          y.dtype());
    const std::vector<double> values = y.to_vector();
    for (std::size_t k = 0; k < values.size(); ++k)
        if (!std::isfinite(values[k]))
            fail("gradcheck: element {} of f's output is {}; no difference can be taken there", k,
                 std::isnan(values[k]) ? "nan"
                 : values[k] > 0       ? "inf"
                                       : "-inf");
    return detach(y);
}

constexpr const char* called_again = "called again with the same inputs";
constexpr const char* seed_inside = "f must be a function: seed its random numbers inside it";

// Order 1 checks the gradient of L = Σ c y. For the others L is curved in y, or a linear f would have no
// second derivative; each checks the gradient of the order before.
std::vector<GradcheckOrder> check_orders(const DifferentiableFunction& f, const Xs& inputs,
                                         const Tensor& y, const GradcheckOptions& options) {
    std::vector<GradcheckOrder> orders;
    const auto weighed = [&](bool curved) -> DifferentiableFunction {
        return
            [&f, weigh = Covector(y, options.seed, curved)](const Xs& xs) { return weigh(f(xs)); };
    };
    DifferentiableFunction loss = weighed(false);
    double size = largest_of(y);
    for (int order = 1; order <= options.order; ++order) {
        GradcheckOrder one;
        one.order = order;
        one.tolerance = options.tolerance > 0 ? options.tolerance : order == 1 ? 1e-7 : 1e-5;
        size = Comparison{loss, inputs, options, size}.run(one);
        orders.push_back(std::move(one));
        if (order == 1) loss = weighed(true);
        loss = gradient_of(loss, inputs, options.seed + 100 * order);
    }
    return orders;
}

}  // namespace

GradcheckReport gradcheck(const DifferentiableFunction& f, const std::vector<Tensor>& given,
                          const GradcheckOptions& options) {
    check(bool(f), "gradcheck: there is no function f");
    check_inputs(given, options);
    Xs inputs, before;
    for (const Tensor& x : given) {
        inputs.push_back(detach(x));
        before.push_back(copy_of(x));
    }
    const Tensor y = copy_of(checked_output(f, inputs));
    check_same(y, f(inputs), 0, called_again, seed_inside);
    const Tensor recorded = f(leaves_of(inputs));
    check_same(y, recorded, 1e-9, "with gradients recorded",
               "f must compute the same whether or not gradients are recorded");

    GradcheckReport report;
    report.operation = recorded.requires_grad() ? recorded.body()->node->operation : "a constant";
    report.names = options.names;
    report.orders = check_orders(f, inputs, y, options);

    check_same(y, f(inputs), 0, called_again, seed_inside);
    for (std::size_t i = 0; i < inputs.size(); ++i)
        check(inputs[i].to_vector() == before[i].to_vector(),
              "gradcheck: f has changed its input {}; f must leave its inputs as they are", i);
    const auto decisive = std::find_if(report.orders.begin(), report.orders.end(),
                                       [](const GradcheckOrder& one) { return !one.pass; });
    static_cast<GradcheckOrder&>(report) =
        decisive != report.orders.end() ? *decisive : report.orders.back();
    return report;
}

// ------------------------------------------------------------------------------ the report

namespace {

std::string name_of_input(const GradcheckReport& report, int input) {
    return input < static_cast<int>(report.names.size())
               ? fmt::format("input {} ({})", input, report.names[input])
               : fmt::format("input {}", input);
}

std::string explain(const GradcheckReport& report, const GradcheckOrder& one) {
    std::string text;
    if (!(one.max_error <= one.tolerance))
        text += fmt::format(
            "\n  {}, {}: backward says {:.12g}, differences say {:.12g}",
            name_of_input(report, one.input),
            one.index >= 0 ? fmt::format("element {}", one.index) : "along a random direction",
            one.analytic, one.numeric);
    if (!(one.recorded_error <= one.tolerance))
        text += fmt::format(
            "\n  the gradient that is recorded (create_graph) and the one that is not "
            "differ by {:.2e}, relative",
            one.recorded_error);
    for (int input : one.hollow)
        text += fmt::format(
            "\n  {} is hollow: its largest gradient is {:.2g} of the output, too small "
            "for a difference to prove anything. Take other numbers; or, if the "
            "gradient is 0, say so: .zero = {{{}}}",
            name_of_input(report, input), one.largest[input], input);
    return text;
}

}  // namespace

std::string to_string(const GradcheckReport& report) {
    std::string text;
    for (const GradcheckOrder& one : report.orders) {
        if (!text.empty()) text += '\n';
        text +=
            fmt::format("{} order {}{}: largest relative error {:.2e} (tolerance {:.0e})",
                        one.pass ? "pass" : "FAIL", one.order,
                        one.pass ? "" : " of " + report.operation, one.max_error, one.tolerance);
        if (!one.pass) text += explain(report, one);
    }
    return text;
}

}  // namespace heed
