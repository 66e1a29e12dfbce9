// Elementwise operations on one tensor: first the formulas (elementwise.h says how they are read),
// then the functions that programs call.
#pragma once

#include <array>
#include <cmath>
#include <numbers>

#include "autograd/ops/elementwise/binary.h"
#include "autograd/ops/elementwise/elementwise.h"

namespace heed {

// σ(x) σ(-x), the slope of the sigmoid, and 1 / √(1 - x²), that of the arc sine; on registers in
// vec_math.h.
Tensor sigmoid_slope(const Tensor& x);
Tensor asin_slope(const Tensor& x);
// σ(x) and σ(-x) = 1 - σ(x), each of the shape of x; on registers in vec_math.h.
std::array<Tensor, 2> sigmoid_both(const Tensor& x);

namespace formulas {

// Laid out by hand: a rule on one line.
// clang-format off

// y = -x          dy/dx = -1
struct Neg {
    static constexpr auto name = "neg";
    static constexpr Interval interval{-2, 2};
    template <class T> T value(T x) const { return -x; }
    static constexpr auto saved = Saved::nothing;
    template <class T> T slope(T g) const { return -g; }
};

// y = eˣ          dy/dx = y
struct Exp {
    static constexpr auto name = "exp";
    static constexpr Interval interval{-2, 2};
    template <class T> T value(T x) const { return exp(x); }
    static constexpr auto saved = Saved::result;
    template <class T> T slope(T g, T y) const { return g * y; }
};

// y = ln x          dy/dx = 1 / x
struct Log {
    static constexpr auto name = "log";
    static constexpr Interval interval{0.3, 3};
    template <class T> T value(T x) const { return log(x); }
    static constexpr auto saved = Saved::input;
    template <class T> T slope(T g, T x) const { return g / x; }
};

// y = √x          dy/dx = 1 / (2 y)
struct Sqrt {
    static constexpr auto name = "sqrt";
    static constexpr Interval interval{0.3, 3};
    template <class T> T value(T x) const { return sqrt(x); }
    static constexpr auto saved = Saved::result;
    template <class T> T slope(T g, T y) const { return 0.5 * g / y; }
};

// y = 1 / √x          dy/dx = -y³ / 2
struct Rsqrt {
    static constexpr auto name = "rsqrt";
    static constexpr Interval interval{0.3, 3};
    template <class T> T value(T x) const { return 1 / sqrt(x); }
    static constexpr auto saved = Saved::result;
    template <class T> T slope(T g, T y) const { return -0.5 * g * y * y * y; }
};

// y = x²          dy/dx = 2 x
struct Square {
    static constexpr auto name = "square";
    static constexpr Interval interval{-2, 2};
    template <class T> T value(T x) const { return x * x; }
    static constexpr auto saved = Saved::input;
    template <class T> T slope(T g, T x) const { return 2 * g * x; }
};

// y = xᵖ          dy/dx = p xᵖ⁻¹
struct PowerOf {
    double p = 3;
    PowerOf() = default;
    explicit PowerOf(double exponent) : p(exponent) {}
    static constexpr auto name = "pow";
    static constexpr Interval interval{0.3, 2};
    template <class T> T value(T x) const { return pow(x, p); }
    static constexpr auto saved = Saved::input;
    template <class T> T slope(T g, T x) const { return p * g * pow(x, p == 0 ? 0 : p - 1); }
};

// y = |x|          dy/dx = sign x
struct Abs {
    static constexpr auto name = "abs";
    static constexpr Interval interval{-2, 2, 0};
    template <class T> T value(T x) const { return abs(x); }
    static constexpr auto saved = Saved::input;
    template <class T> T slope(T g, T x) const { return g * sign(x); }
};

// y = -1, 0 or 1          dy/dx = 0
struct Sign {
    static constexpr auto name = "sign";
    static constexpr Interval interval{-2, 2, 0};
    template <class T> T value(T x) const { return sign(x); }
    static constexpr auto saved = Saved::nothing;
    template <class T> T slope(T g) const { return g * 0.0; }
};

// y = sin x          dy/dx = cos x
struct Sin {
    static constexpr auto name = "sin";
    static constexpr Interval interval{-3, 3};
    template <class T> T value(T x) const { return sin(x); }
    static constexpr auto saved = Saved::input;
    template <class T> T slope(T g, T x) const { return g * cos(x); }
};

// y = cos x          dy/dx = -sin x
struct Cos {
    static constexpr auto name = "cos";
    static constexpr Interval interval{-3, 3};
    template <class T> T value(T x) const { return cos(x); }
    static constexpr auto saved = Saved::input;
    template <class T> T slope(T g, T x) const { return -g * sin(x); }
};

// y = tanh x          dy/dx = 1 - y² = 4 σ(2 x) σ(-2 x), which keeps its digits where y is nearly 1
struct Tanh {
    static constexpr auto name = "tanh";
    static constexpr Interval interval{-3, 3};
    template <class T> T value(T x) const { return tanh(x); }
    static constexpr auto saved = Saved::input;
    template <class T> T slope(T g, T x) const {
        return 4 * sigmoid_slope(2 * x) * g;
    }
};

// y = σ(x) = 1 / (1 + e⁻ˣ)          dy/dx = y (1 - y) = σ(x) σ(-x), which keeps its digits where y is nearly 1
struct Sigmoid {
    static constexpr auto name = "sigmoid";
    static constexpr Interval interval{-3, 3};
    template <class T> T value(T x) const { return sigmoid(x); }
    static constexpr auto saved = Saved::input;
    template <class T> T slope(T g, T x) const { return g * sigmoid_slope(x); }
};

// y = σ(x) σ(-x)          dy/dx = y (σ(-x) - σ(x)) = -y tanh(x / 2), which keeps its digits where x is nearly 0
struct SigmoidSlope {
    static constexpr auto name = "sigmoid_slope";
    static constexpr Interval interval{-3, 3};
    template <class T> T value(T x) const { return sigmoid_slope(x); }
    static constexpr auto saved = Saved::input | Saved::result;
    template <class T> T slope(T g, T x, T y) const { return -g * y * tanh(0.5 * x); }
};

// y = max(x, 0)          dy/dx = 0 where x <= 0, else 1; where x is NaN too, as in PyTorch
struct Relu {
    static constexpr auto name = "relu";
    static constexpr Interval interval{-2, 2, 0};
    template <class T> T value(T x) const { return maximum(T(0.0), x); }  // NaN stays NaN
    static constexpr auto saved = Saved::result;
    template <class T> T slope(T g, T y) const { return where(y <= 0.0, 0.0, g); }
};

// y = x where x > 0, else a x          dy/dx = 1 or a
struct LeakyRelu {
    double a = 0.01;
    LeakyRelu() = default;
    explicit LeakyRelu(double negative_slope) : a(negative_slope) {}
    static constexpr auto name = "leaky_relu";
    static constexpr Interval interval{-2, 2, 0};
    template <class T> T value(T x) const { return where(x > 0.0, x, a * x); }
    static constexpr auto saved = Saved::input;
    template <class T> T slope(T g, T x) const { return where(x > 0.0, g, a * g); }
};

// y = x where x > 0, else a (eˣ - 1)          dy/dx = 1 or a eˣ
struct Elu {
    double a = 1;
    Elu() = default;
    explicit Elu(double alpha) : a(alpha) {}
    static constexpr auto name = "elu";
    static constexpr Interval interval{-2, 2, 0};
    template <class T> T value(T x) const {
        return where(x > 0.0, x, a * expm1(minimum(T(0.0), x)));
    }
    static constexpr auto saved = Saved::input;
    template <class T> T slope(T g, T x) const {
        return where(x <= 0.0, a * g * exp(minimum(x, 0.0)), g);
    }
};

// y = ln(1 + eˣ) = max(x, 0) + ln(1 + e^-|x|)          dy/dx = sigmoid x
struct Softplus {
    static constexpr auto name = "softplus";
    static constexpr Interval interval{-3, 3};
    template <class T> T value(T x) const { return maximum(x, 0.0) + log1p(exp(-abs(x))); }
    static constexpr auto saved = Saved::input;
    template <class T> T slope(T g, T x) const { return g * sigmoid(x); }
};

// y = 2/√π ∫₀ˣ e^(-t²) dt          dy/dx = 2/√π e^(-x²)
struct Erf {
    static constexpr auto name = "erf";
    static constexpr Interval interval{-2, 2};
    template <class T> T value(T x) const { return erf(x); }
    static constexpr auto saved = Saved::input;
    template <class T> T slope(T g, T x) const {
        return 2 * std::numbers::inv_sqrtpi * g * exp(-(x * x));
    }
};

// y = φ(x) = e^(-x²/2) / √(2π), the density of the normal distribution          dy/dx = -x y
struct NormalPdf {
    static constexpr auto name = "normal_pdf";
    static constexpr Interval interval{-3, 3};
    template <class T> T value(T x) const { return normal_pdf(x); }
    static constexpr auto saved = Saved::input | Saved::result;
    template <class T> T slope(T g, T x, T y) const { return -g * x * y; }
};

// y = Φ(x) = (1 + erf(x/√2)) / 2, its cumulative distribution          dy/dx = φ(x)
struct NormalCdf {
    static constexpr auto name = "normal_cdf";
    static constexpr Interval interval{-3, 3};
    template <class T> T value(T x) const { return normal_cdf(x); }
    static constexpr auto saved = Saved::input;
    template <class T> T slope(T g, T x) const { return g * normal_pdf(x); }
};

// y = x Φ(x)          dy/dx = Φ(x) + x φ(x)
// (Hendrycks and Gimpel 2016)
struct Gelu {
    static constexpr auto name = "gelu";
    static constexpr Interval interval{-3, 3};
    template <class T> T value(T x) const { return x * normal_cdf(x); }
    static constexpr auto saved = Saved::input;
    template <class T> T slope(T g, T x) const { return g * (normal_cdf(x) + x * normal_pdf(x)); }
};

// y = x (1 + tanh u) / 2 = x σ(2 u), u = √(2/π) (x + 0.044715 x³)
// dy/dx = σ(2 u) + x σ(2 u) σ(-2 u) 2 u'. The second term vanishes long before x² overflows.
struct GeluTanh {
    static constexpr auto name = "gelu_tanh";
    static constexpr Interval interval{-3, 3};
    static constexpr double c = std::numbers::inv_sqrtpi * std::numbers::sqrt2, k = 0.044715;
    template <class T> T value(T x) const { return x * sigmoid(2 * c * (x + k * x * x * x)); }
    static constexpr auto saved = Saved::input;
    template <class T> T slope(T g, T x) const {
        const T u = c * (x + k * x * x * x);
        const auto [s, not_s] = sigmoid_both(2 * u);
        const T near = minimum(maximum(x, -30.0), 30.0);
        return g * (s + near * s * not_s * (2 * c + 6 * c * k * near * near));
    }
};

// y = x σ(x)          dy/dx = σ(x) + x σ(x) σ(-x)
struct Silu {
    static constexpr auto name = "silu";
    static constexpr Interval interval{-3, 3};
    template <class T> T value(T x) const { return x * sigmoid(x); }
    static constexpr auto saved = Saved::input;
    template <class T> T slope(T g, T x) const {
        const auto [s, not_s] = sigmoid_both(x);
        return g * s * (1 + x * not_s);
    }
};

// y = low, x or high          dy/dx = 1 from low to high, both included
struct Clamp {
    double low = -1, high = 1;
    Clamp() = default;
    Clamp(double lowest, double highest) : low(lowest), high(highest) {}
    static constexpr auto name = "clamp";
    static constexpr Interval interval{-2, 2, -1, 1};
    template <class T> T value(T x) const { return minimum(T(high), maximum(T(low), x)); }
    static constexpr auto saved = Saved::input;
    template <class T> T slope(T g, T x) const {
        return where(x >= low, where(x <= high, g, 0.0), 0.0);
    }
};

// y = ln(1 + x), exact for small x          dy/dx = 1 / (1 + x)
struct Log1p {
    static constexpr auto name = "log1p";
    static constexpr Interval interval{-0.5, 2};
    template <class T> T value(T x) const { return log1p(x); }
    static constexpr auto saved = Saved::input;
    template <class T> T slope(T g, T x) const { return g / (1 + x); }
};

// y = eˣ - 1, exact for small x          dy/dx = eˣ
struct Expm1 {
    static constexpr auto name = "expm1";
    static constexpr Interval interval{-2, 2};
    template <class T> T value(T x) const { return expm1(x); }
    static constexpr auto saved = Saved::input;
    template <class T> T slope(T g, T x) const { return g * exp(x); }
};

// y = 1 / x          dy/dx = -y²
struct Reciprocal {
    static constexpr auto name = "reciprocal";
    static constexpr Interval interval{0.3, 3};
    template <class T> T value(T x) const { return 1 / x; }
    static constexpr auto saved = Saved::result;
    template <class T> T slope(T g, T y) const { return -g * y * y; }
};

// y = tan x          dy/dx = 1 + y²
struct Tan {
    static constexpr auto name = "tan";
    static constexpr Interval interval{-1.2, 1.2};
    template <class T> T value(T x) const { return tan(x); }
    static constexpr auto saved = Saved::result;
    template <class T> T slope(T g, T y) const { return g * (1 + y * y); }
};

// y = arc sin x          dy/dx = 1 / √(1 - x²)
struct Asin {
    static constexpr auto name = "asin";
    static constexpr Interval interval{-0.8, 0.8};
    template <class T> T value(T x) const { return asin(x); }
    static constexpr auto saved = Saved::input;
    template <class T> T slope(T g, T x) const { return g * asin_slope(x); }
};

// y = arc cos x          dy/dx = -1 / √(1 - x²)
struct Acos {
    static constexpr auto name = "acos";
    static constexpr Interval interval{-0.8, 0.8};
    template <class T> T value(T x) const { return acos(x); }
    static constexpr auto saved = Saved::input;
    template <class T> T slope(T g, T x) const { return -g * asin_slope(x); }
};

// y = 1 / √(1 - x²)          dy/dx = x y³
struct AsinSlope {
    static constexpr auto name = "asin_slope";
    static constexpr Interval interval{-0.8, 0.8};
    template <class T> T value(T x) const { return asin_slope(x); }
    static constexpr auto saved = Saved::input | Saved::result;
    template <class T> T slope(T g, T x, T y) const { return g * x * y * y * y; }
};

// y = arc tan x          dy/dx = 1 / (1 + x²)
struct Atan {
    static constexpr auto name = "atan";
    static constexpr Interval interval{-3, 3};
    template <class T> T value(T x) const { return atan(x); }
    static constexpr auto saved = Saved::input;
    template <class T> T slope(T g, T x) const { return g / (1 + x * x); }
};

// y = (eˣ - e⁻ˣ) / 2          dy/dx = cosh x
struct Sinh {
    static constexpr auto name = "sinh";
    static constexpr Interval interval{-2, 2};
    template <class T> T value(T x) const { return sinh(x); }
    static constexpr auto saved = Saved::input;
    template <class T> T slope(T g, T x) const { return g * cosh(x); }
};

// y = (eˣ + e⁻ˣ) / 2          dy/dx = sinh x
struct Cosh {
    static constexpr auto name = "cosh";
    static constexpr Interval interval{-2, 2};
    template <class T> T value(T x) const { return cosh(x); }
    static constexpr auto saved = Saved::input;
    template <class T> T slope(T g, T x) const { return g * sinh(x); }
};

// The largest integer up to x, and the smallest from x on          dy/dx = 0
struct Floor {
    static constexpr auto name = "floor";
    static constexpr Interval interval{0.1, 0.9};
    template <class T> T value(T x) const { return floor(x); }
    static constexpr auto saved = Saved::nothing;
    template <class T> T slope(T g) const { return g * 0.0; }
};
struct Ceil {
    static constexpr auto name = "ceil";
    static constexpr Interval interval{0.1, 0.9};
    template <class T> T value(T x) const { return ceil(x); }
    static constexpr auto saved = Saved::nothing;
    template <class T> T slope(T g) const { return g * 0.0; }
};

// The nearest integer; of two equally near ones the even one          dy/dx = 0
struct Round {
    static constexpr auto name = "round";
    static constexpr Interval interval{0.6, 1.4};
    template <class T> T value(T x) const { return round(x); }
    static constexpr auto saved = Saved::nothing;
    template <class T> T slope(T g) const { return g * 0.0; }
};

// y = ln σ(x) = -ln(1 + e⁻ˣ)          dy/dx = σ(-x)
struct LogSigmoid {
    static constexpr auto name = "log_sigmoid";
    static constexpr Interval interval{-3, 3};
    template <class T> T value(T x) const { return minimum(x, 0.0) - log1p(exp(-abs(x))); }
    static constexpr auto saved = Saved::input;
    template <class T> T slope(T g, T x) const { return g * sigmoid(-x); }
};

// clang-format on

}  // namespace formulas

Tensor neg(const Tensor& x);
Tensor exp(const Tensor& x);
Tensor log(const Tensor& x);
Tensor sqrt(const Tensor& x);
Tensor rsqrt(const Tensor& x);
Tensor square(const Tensor& x);
Tensor pow(const Tensor& x, double p);
Tensor abs(const Tensor& x);
Tensor sign(const Tensor& x);
Tensor sin(const Tensor& x);
Tensor cos(const Tensor& x);
Tensor tanh(const Tensor& x);
Tensor sigmoid(const Tensor& x);
Tensor relu(const Tensor& x);
Tensor leaky_relu(const Tensor& x, double negative_slope = 0.01);
Tensor elu(const Tensor& x, double alpha = 1);
Tensor softplus(const Tensor& x);
Tensor erf(const Tensor& x);
Tensor normal_pdf(const Tensor& x);
Tensor normal_cdf(const Tensor& x);  // SciPy's ndtr
Tensor gelu(const Tensor& x);
Tensor gelu_tanh(const Tensor& x);
Tensor silu(const Tensor& x);
Tensor clamp(const Tensor& x, double low, double high);
Tensor log1p(const Tensor& x);
Tensor expm1(const Tensor& x);
Tensor reciprocal(const Tensor& x);
Tensor tan(const Tensor& x);
Tensor asin(const Tensor& x);
Tensor acos(const Tensor& x);
Tensor atan(const Tensor& x);
Tensor sinh(const Tensor& x);
Tensor cosh(const Tensor& x);
Tensor floor(const Tensor& x);
Tensor ceil(const Tensor& x);
Tensor round(const Tensor& x);
Tensor log_sigmoid(const Tensor& x);
inline Tensor operator-(const Tensor& x) { return neg(x); }

// All operations of this file, for the gradient check and the tests.
const std::vector<ListedOperation>& unary_operations();

}  // namespace heed
