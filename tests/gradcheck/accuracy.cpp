// The references are written so that they do not cancel; where a result is a sum of terms that cancel for
// good reason (the slope of gelu goes through 0), the unit is that of the largest term.
#include "tests/gradcheck/accuracy.h"

#include <cmath>
#include <cstring>
#include <functional>
#include <map>
#include <numbers>
#include <random>

#include "autograd/autograd.h"
#include "nn/layers/losses.h"

namespace heed {
namespace {

using Real = long double;

// A value and the largest of the terms it is the sum of.
struct Exact {
    Real value, size;
    Exact(Real v) : value(v), size(std::fabs(v)) {}
    Exact(Real v, Real largest_term)
        : value(v), size(std::max(std::fabs(v), std::fabs(largest_term))) {}
};

constexpr Real pi = std::numbers::pi_v<Real>;
const Real root_two = std::sqrt(Real(2));

Real logistic(Real x) { return x < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x)); }
Real soft_plus(Real x) { return std::max(x, Real(0)) + std::log1p(std::exp(-std::fabs(x))); }
Real pdf(Real x) { return std::exp(-x * x / 2) / std::sqrt(2 * pi); }
Real cdf(Real x) { return std::erfc(-x / root_two) / 2; }
Real gelu_argument(Real x) { return std::sqrt(2 / pi) * (x + Real(0.044715) * x * x * x); }
Real sign_of(Real x) { return Real((x > 0) - (x < 0)); }

struct Unary {
    Exact (*value)(Real);
    Exact (*slope)(Real);
    double bars[4];  // float32: value, slope; float64: value, slope
};
// Laid out by hand: one function a line.
// clang-format off
const std::map<std::string, Unary>& unary_references() {
    static const std::map<std::string, Unary> all{
    {"neg", {[](Real x) -> Exact { return -x; }, [](Real) -> Exact { return -1; }, {0, 0, 0, 0}}},
    {"exp", {[](Real x) -> Exact { return std::exp(x); }, [](Real x) -> Exact { return std::exp(x); }, {1.1, 1.1, 1, 1}}},
    {"log", {[](Real x) -> Exact { return std::log(x); }, [](Real x) -> Exact { return 1 / x; }, {0.9, 0.6, 1, 0.6}}},
    {"sqrt", {[](Real x) -> Exact { return std::sqrt(x); }, [](Real x) -> Exact { return Real(0.5) / std::sqrt(x); }, {0.6, 1.6, 0.6, 1.6}}},
    {"rsqrt", {[](Real x) -> Exact { return 1 / std::sqrt(x); }, [](Real x) -> Exact { const Real y = 1 / std::sqrt(x); return Real(-0.5) * y * y * y; }, {2, 5.5, 2, 5.5}}},
    {"square", {[](Real x) -> Exact { return x * x; }, [](Real x) -> Exact { return 2 * x; }, {0.6, 0.6, 0.6, 0.6}}},
    {"pow", {[](Real x) -> Exact { return x * x * x; }, [](Real x) -> Exact { return 3 * x * x; }, {1, 2, 1, 2}}},
    {"abs", {[](Real x) -> Exact { return std::fabs(x); }, [](Real x) -> Exact { return sign_of(x); }, {0, 0, 0, 0}}},
    {"sign", {[](Real x) -> Exact { return sign_of(x); }, [](Real) -> Exact { return 0; }, {0, 0, 0, 0}}},
    {"sin", {[](Real x) -> Exact { return std::sin(x); }, [](Real x) -> Exact { return std::cos(x); }, {2.4, 2.4, 1, 1}}},
    {"cos", {[](Real x) -> Exact { return std::cos(x); }, [](Real x) -> Exact { return -std::sin(x); }, {2.4, 2.4, 1, 1}}},
    {"tanh", {[](Real x) -> Exact { return std::tanh(x); },
              [](Real x) -> Exact { return 4 * logistic(2 * x) * logistic(-2 * x); }, {1.4, 6, 2.5, 6}}},
    {"sigmoid", {[](Real x) -> Exact { return logistic(x); },
                 [](Real x) -> Exact { return logistic(x) * logistic(-x); }, {2.5, 6, 2.5, 6}}},
    {"sigmoid_slope", {[](Real x) -> Exact { return logistic(x) * logistic(-x); },
                       [](Real x) -> Exact { return -logistic(x) * logistic(-x) * std::tanh(x / 2); }, {6, 8, 6, 8}}},
    {"relu", {[](Real x) -> Exact { return x <= 0 ? 0 : x; }, [](Real x) -> Exact { return x > 0; }, {0, 0, 0, 0}}},
    {"leaky_relu", {[](Real x) -> Exact { return x > 0 ? x : Real(0.01) * x; },
                    [](Real x) -> Exact { return x > 0 ? Real(1) : Real(0.01); }, {2, 1, 2, 1}}},
    {"elu", {[](Real x) -> Exact { return x > 0 ? x : std::expm1(x); },
             [](Real x) -> Exact { return x > 0 ? Real(1) : std::exp(x); }, {3, 1.1, 1, 1}}},
    {"softplus", {[](Real x) -> Exact { return soft_plus(x); }, [](Real x) -> Exact { return logistic(x); }, {3, 2.5, 2.5, 2.5}}},
    {"erf", {[](Real x) -> Exact { return std::erf(x); },
             [](Real x) -> Exact { return 2 / std::sqrt(pi) * std::exp(-x * x); }, {1.3, 100, 1, 1000}}},
    {"normal_pdf", {[](Real x) -> Exact { return pdf(x); }, [](Real x) -> Exact { return -x * pdf(x); }, {3, 4, 3, 4}}},
    {"normal_cdf", {[](Real x) -> Exact { return cdf(x); }, [](Real x) -> Exact { return pdf(x); }, {6, 3, 6, 3}}},
    {"gelu", {[](Real x) -> Exact { return x * cdf(x); },
              [](Real x) -> Exact { return {cdf(x) + x * pdf(x), cdf(x)}; }, {6, 6, 6, 6}}},
    {"gelu_tanh", {[](Real x) -> Exact { return x * logistic(2 * gelu_argument(x)); },
                   [](Real x) -> Exact {
                       const Real s = logistic(2 * gelu_argument(x)), t = logistic(-2 * gelu_argument(x));
                       if (std::fabs(x) > 100) return x > 0;
                       return {s + x * s * t * 2 * std::sqrt(2 / pi) * (1 + 3 * Real(0.044715) * x * x), s};
                   }, {150, 200, 2000, 2000}}},  // so is the argument of the sigmoid
    {"silu", {[](Real x) -> Exact { return x * logistic(x); },
              [](Real x) -> Exact { return {logistic(x) + x * logistic(x) * logistic(-x), logistic(x)}; }, {4, 8, 4, 8}}},
    {"clamp", {[](Real x) -> Exact { return x < -1 ? Real(-1) : x > 1 ? Real(1) : x; },
               [](Real x) -> Exact { return x >= -1 && x <= 1; }, {0, 0, 0, 0}}},
    {"log1p", {[](Real x) -> Exact { return std::log1p(x); }, [](Real x) -> Exact { return 1 / (1 + x); }, {1.5, 1.6, 1, 1.6}}},
    {"expm1", {[](Real x) -> Exact { return std::expm1(x); }, [](Real x) -> Exact { return std::exp(x); }, {3, 3, 1, 3}}},
    {"reciprocal", {[](Real x) -> Exact { return 1 / x; }, [](Real x) -> Exact { return -1 / (x * x); }, {0.6, 2, 0.6, 2}}},
    {"tan", {[](Real x) -> Exact { return std::tan(x); },
             [](Real x) -> Exact { return 1 + std::tan(x) * std::tan(x); }, {1, 3, 1, 3}}},
    {"asin", {[](Real x) -> Exact { return std::asin(x); },
              [](Real x) -> Exact { return 1 / std::sqrt((1 - x) * (1 + x)); }, {1, 3, 1, 3}}},
    {"acos", {[](Real x) -> Exact { return std::acos(x); },
              [](Real x) -> Exact { return -1 / std::sqrt((1 - x) * (1 + x)); }, {1, 3, 1, 3}}},
    {"asin_slope", {[](Real x) -> Exact { return 1 / std::sqrt((1 - x) * (1 + x)); },
                    [](Real x) -> Exact { return x / ((1 - x) * (1 + x) * std::sqrt((1 - x) * (1 + x))); }, {3, 9, 3, 9}}},
    {"atan", {[](Real x) -> Exact { return std::atan(x); }, [](Real x) -> Exact { return 1 / (1 + x * x); }, {1, 2, 1, 2}}},
    {"sinh", {[](Real x) -> Exact { return std::sinh(x); }, [](Real x) -> Exact { return std::cosh(x); }, {2, 2, 2, 2}}},
    {"cosh", {[](Real x) -> Exact { return std::cosh(x); }, [](Real x) -> Exact { return std::sinh(x); }, {2, 2, 2, 2}}},
    {"floor", {[](Real x) -> Exact { return std::floor(x); }, [](Real) -> Exact { return 0; }, {0, 0, 0, 0}}},
    {"ceil", {[](Real x) -> Exact { return std::ceil(x); }, [](Real) -> Exact { return 0; }, {0, 0, 0, 0}}},
    {"round", {[](Real x) -> Exact { return std::rint(x); }, [](Real) -> Exact { return 0; }, {0, 0, 0, 0}}},
    {"log_sigmoid", {[](Real x) -> Exact { return -soft_plus(-x); }, [](Real x) -> Exact { return logistic(-x); }, {3, 2.5, 2.5, 2.5}}},
    };
    return all;
}

struct Binary {
    Exact (*value)(Real, Real);
    Exact (*slope_a)(Real, Real);
    Exact (*slope_b)(Real, Real);
    double bars[6];  // float32: value, slopes of a and b; float64: the same
};
const std::map<std::string, Binary>& binary_references() {
    static const std::map<std::string, Binary> all{
    {"add", {[](Real a, Real b) -> Exact { return a + b; }, [](Real, Real) -> Exact { return 1; },
             [](Real, Real) -> Exact { return 1; }, {0.6, 0, 0, 0.6, 0, 0}}},
    {"sub", {[](Real a, Real b) -> Exact { return a - b; }, [](Real, Real) -> Exact { return 1; },
             [](Real, Real) -> Exact { return -1; }, {0.6, 0, 0, 0.6, 0, 0}}},
    {"mul", {[](Real a, Real b) -> Exact { return a * b; }, [](Real, Real b) -> Exact { return b; },
             [](Real a, Real) -> Exact { return a; }, {0.6, 0, 0, 0.6, 0, 0}}},
    {"weighted", {[](Real w, Real x) -> Exact { return w == 0 ? 0 : w * x; },
                  [](Real w, Real x) -> Exact { return w == 0 && std::isinf(x) ? 0 : x; },
                  [](Real w, Real) -> Exact { return w; }, {0.6, 0, 0, 0.6, 0, 0}}},
    {"div", {[](Real a, Real b) -> Exact { return a / b; }, [](Real, Real b) -> Exact { return 1 / b; },
             [](Real a, Real b) -> Exact { return -a / b / b; }, {0.6, 0.6, 1.6, 0.6, 0.6, 1.6}}},
    {"maximum", {[](Real a, Real b) -> Exact { return a > b ? a : b; },
                 [](Real a, Real b) -> Exact { return a > b ? 1 : a == b ? Real(0.5) : 0; },
                 [](Real a, Real b) -> Exact { return b > a ? 1 : a == b ? Real(0.5) : 0; }, {0, 0, 0, 0, 0, 0}}},
    {"minimum", {[](Real a, Real b) -> Exact { return a < b ? a : b; },
                 [](Real a, Real b) -> Exact { return a < b ? 1 : a == b ? Real(0.5) : 0; },
                 [](Real a, Real b) -> Exact { return b < a ? 1 : a == b ? Real(0.5) : 0; }, {0, 0, 0, 0, 0, 0}}},
    {"pow", {[](Real a, Real b) -> Exact { return std::pow(a, b); },
             [](Real a, Real b) -> Exact { return b == 0 ? Real(0) : b * std::pow(a, b - 1); },
             [](Real a, Real b) -> Exact { return a == 0 && b >= 0 ? Real(0) : std::pow(a, b) * std::log(a); },
             {1, 100, 100, 1, 1000, 1000}}},  // b - 1 is rounded; y may be below the normal numbers
    {"atan2", {[](Real a, Real b) -> Exact { return std::atan2(a, b); },
               [](Real a, Real b) -> Exact { return b / (a * a + b * b); },
               [](Real a, Real b) -> Exact { return -a / (a * a + b * b); }, {1.2, 4, 4, 1.2, 4, 4}}},
    {"logaddexp", {[](Real a, Real b) -> Exact {
                       return {std::max(a, b) + std::log1p(std::exp(-std::fabs(a - b))), std::max(a, b)};
                   },
                   [](Real a, Real b) -> Exact { return logistic(a - b); },
                   [](Real a, Real b) -> Exact { return logistic(b - a); }, {60, 100, 100, 400, 1000, 1000}}},  // a - b is rounded
    {"binary_cross_entropy_with_logits",
     {[](Real x, Real t) -> Exact {
          return {t * soft_plus(-x) + (1 - t) * soft_plus(x), t > 0 && t < 1 ? x : 0};
      },
      [](Real x, Real t) -> Exact {
          return {(1 - t) * logistic(x) - t * logistic(-x), std::max((1 - t) * logistic(x), t * logistic(-x))};
      },
      [](Real x, Real) -> Exact { return -x; }, {4, 4, 0, 4, 4, 0}}},
    };
    return all;
}
// clang-format on

// --- the errors -----------------------------------------------------------------------------------

// |found - exact| in units in the last place of the larger of |exact| and the size of its terms. Past
// the largest number infinity is right, and counts as the power of two that comes after it. A product such as
// x e^(-x²/2) may vanish or overflow while one of its factors does: within 2¹⁰ of the smallest normal number
// any number as small will do, and within 2¹⁰ of the largest one infinity.
template <class T>
double error_of(T found, const Exact& exact) {
    using Limits = std::numeric_limits<T>;
    if (std::isnan(exact.value) || std::isnan(found))
        return std::isnan(exact.value) && std::isnan(found) ? 0 : INFINITY;
    const T rounded = static_cast<T>(exact.value);
    if (found == rounded) return 0;
    if (std::isinf(exact.value)) return INFINITY;
    if (std::fabs(Real(found) - exact.value) <= Limits::min())
        return 0;  // a term below the normal numbers
    constexpr Real near = 1024;
    if (std::fabs(exact.value) < near * Limits::min() && std::fabs(found) <= near * Limits::min())
        return 0;
    if (std::fabs(exact.value) > Limits::max() / near && std::isinf(found) &&
        std::signbit(found) == std::signbit(exact.value))
        return 0;
    const Real top = std::ldexp(Real(1), Limits::max_exponent);
    const Real y = std::isinf(found) ? std::copysign(top, Real(found)) : Real(found);
    const Real x = std::fabs(exact.value) > top ? std::copysign(top, exact.value) : exact.value;
    int exponent;
    std::frexp(std::max(std::min(exact.size, top), Real(Limits::min())), &exponent);
    return static_cast<double>(std::fabs(y - x) / std::ldexp(Real(1), exponent - Limits::digits));
}

// Numbers of all sizes and signs: bit patterns drawn evenly, NaN and infinities among them; then numbers
// of common size.
template <class T>
std::vector<T> arguments(uint64_t seed, int64_t patterns, int64_t common) {
    using Bits = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
    using Limits = std::numeric_limits<T>;
    std::mt19937_64 random(seed);
    std::vector<T> xs{0,
                      T(-0.0),
                      1,
                      -1,
                      T(0.5),
                      T(-0.5),
                      Limits::max(),
                      Limits::lowest(),
                      Limits::min(),
                      -Limits::min(),
                      Limits::infinity(),
                      -Limits::infinity()};
    for (int64_t i = 0; i < patterns; ++i) {
        const Bits bits = static_cast<Bits>(random());
        T x;
        std::memcpy(&x, &bits, sizeof x);
        xs.push_back(x);
    }
    for (double scale : {1.0, 20.0, 120.0, 800.0}) {
        std::uniform_real_distribution<double> uniform(-scale, scale);
        for (int64_t i = 0; i < common; ++i) xs.push_back(static_cast<T>(uniform(random)));
    }
    return xs;
}

template <class T>
Tensor as_tensor(const std::vector<T>& xs) {
    return tensor(std::vector<double>(xs.begin(), xs.end()), {static_cast<int64_t>(xs.size())},
                  sizeof(T) == 4 ? Dtype::float32 : Dtype::float64);
}

// The row for results ys of the arguments.
template <class T, class Reference>
Accuracy row(const std::string& name, double bar, const Tensor& ys, const Reference& reference,
             const std::vector<T>& a, const std::vector<T>& b, bool skip_nan) {
    Accuracy worst{.name = name, .dtype = ys.dtype(), .bar = bar};
    const T* y = ys.data<T>();
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (skip_nan && (std::isnan(a[i]) || (!b.empty() && std::isnan(b[i])))) continue;
        const Exact exact = reference(i);
        const double error = error_of<T>(y[i], exact);
        if (error > worst.error) {
            worst.error = error;
            worst.at[0] = a[i];
            worst.at[1] = b.empty() ? 0 : b[i];
            worst.found = y[i];
            worst.expected = static_cast<double>(exact.value);
        }
    }
    return worst;
}

using Apply = std::function<Tensor(const std::vector<Tensor>&)>;

// Results and slopes of f for the arguments.
std::vector<Tensor> results(const Apply& f, std::vector<Tensor> xs) {
    for (Tensor& x : xs) x.set_requires_grad();
    const Tensor y = f(xs);
    std::vector<Tensor> all = grad(y, xs, false, ones_like(y));
    all.insert(all.begin(), y);
    for (Tensor& each : all) each = contiguous(each);
    return all;
}

template <class T>
void measure_unary(std::vector<Accuracy>& rows, const std::string& name, const Apply& f,
                   const Unary& exact) {
    const int first = sizeof(T) == 4 ? 0 : 2;
    const std::vector<T> xs = arguments<T>(1, 60000, 10000);
    const std::vector<Tensor> ys = results(f, {as_tensor(xs)});
    // sign(NaN) is 0, as in PyTorch; which slope a NaN has is nobody's concern.
    rows.push_back(row<T>(
        name, exact.bars[first], ys[0], [&](std::size_t i) { return exact.value(xs[i]); }, xs, {},
        name == "sign"));
    rows.push_back(row<T>(
        name + ", slope", exact.bars[first + 1], ys[1],
        [&](std::size_t i) { return exact.slope(xs[i]); }, xs, {}, true));
}

template <class T>
void measure_binary(std::vector<Accuracy>& rows, const std::string& name, const Apply& f,
                    const Binary& exact) {
    const int first = sizeof(T) == 4 ? 0 : 3;
    std::vector<T> as = arguments<T>(2, 40000, 10000), bs = arguments<T>(3, 40000, 10000);
    std::rotate(bs.begin() + 12, bs.begin() + 40012,
                bs.end());  // numbers of common size meet large ones
    for (std::vector<T>* xs : {&as, &bs})
        for (T& x : *xs)  // what is left of quotients of numbers below the normal ones is
                          // no measure
            if (std::fabs(x) < std::numeric_limits<T>::min()) x = 0;
    if (name == "binary_cross_entropy_with_logits")
        for (std::size_t i = 0; i < bs.size(); ++i) {  // targets, and finite logits
            bs[i] = i % 3 == 0 ? T(0) : i % 3 == 1 ? T(1) : std::fabs(std::fmod(bs[i], T(1)));
            if (!std::isfinite(bs[i])) bs[i] = T(0.25);
            if (!std::isfinite(as[i])) as[i] = T(3);
        }
    if (name == "pow" || name == "atan2" || name == "logaddexp")
        for (std::size_t i = 0; i < as.size(); ++i) {
            if (name == "pow") as[i] = std::fabs(as[i]);
            // What two infinities give is a convention, and so is an angle at 0.
            if (name != "pow" &&
                (!std::isfinite(as[i]) || !std::isfinite(bs[i]) || (as[i] == 0 && bs[i] == 0)))
                as[i] = bs[i] = T(1.5);
        }
    const std::vector<Tensor> ys = results(f, {as_tensor(as), as_tensor(bs)});
    const auto add = [&](const char* what, int k, Exact (*reference)(Real, Real)) {
        rows.push_back(row<T>(
            name + "(a, b)" + what, exact.bars[first + k], ys[k],
            [&](std::size_t i) { return reference(as[i], bs[i]); }, as, bs, true));
    };
    add("", 0, exact.value);
    add(", slope of a", 1, exact.slope_a);
    add(", slope of b", 2, exact.slope_b);
}

}  // namespace

std::vector<std::string> accuracy_names() {
    std::vector<std::string> names;
    for (const auto& [name, exact] : unary_references()) names.push_back(name);
    for (const auto& [name, exact] : binary_references()) names.push_back(name);
    return names;
}

std::vector<Accuracy> measure_accuracy(const std::string& filter) {
    std::vector<Accuracy> rows;
    const auto wanted = [&](const std::string& name) {
        return name.find(filter) != std::string::npos;
    };
    for (const ListedOperation& op : unary_operations()) {
        const auto exact = unary_references().find(op.name);
        if (exact == unary_references().end() || !wanted(op.name)) continue;
        measure_unary<float>(rows, op.name, op.apply, exact->second);
        if (reference_is_wider) measure_unary<double>(rows, op.name, op.apply, exact->second);
    }
    const auto add_binary = [&](const std::string& name, const Apply& f) {
        const auto exact = binary_references().find(name);
        if (exact == binary_references().end() || !wanted(name)) return;
        measure_binary<float>(rows, name, f, exact->second);
        if (reference_is_wider) measure_binary<double>(rows, name, f, exact->second);
    };
    for (const ListedOperation& op : binary_operations()) add_binary(op.name, op.apply);
    add_binary("binary_cross_entropy_with_logits", [](const std::vector<Tensor>& x) {
        return binary_cross_entropy_with_logits(x[0], x[1], Reduction::none);
    });
    return rows;
}

}  // namespace heed
