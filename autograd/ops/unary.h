// Elementwise operations on one tensor. Each is a formula card (cards.h) and the function of its name.
#pragma once

#include <cmath>
#include <numbers>

#include "autograd/ops/binary.h"
#include "autograd/ops/cards.h"

namespace heed {

// y = -x          dy/dx = -1
struct Neg : Card<Neg> {
    static constexpr auto name = "neg";
    static constexpr Sample sample{-2, 2};
    template <class T> T value(T x) const { return -x; }
    template <class T> T slope(T g, Unused, Unused) const { return -g; }
};
inline Tensor neg(const Tensor& x) { return apply(Neg{}, x); }
inline Tensor operator-(const Tensor& x) { return neg(x); }

// y = eˣ          dy/dx = y
struct Exp : Card<Exp> {
    static constexpr auto name = "exp";
    static constexpr Sample sample{-2, 2};
    template <class T> T value(T x) const { return exp(x); }
    template <class T> T slope(T g, Unused, T y) const { return g * y; }
};
inline Tensor exp(const Tensor& x) { return apply(Exp{}, x); }

// y = ln x          dy/dx = 1 / x
struct Log : Card<Log> {
    static constexpr auto name = "log";
    static constexpr Sample sample{0.3, 3};
    template <class T> T value(T x) const { return log(x); }
    template <class T> T slope(T g, T x, Unused) const { return g / x; }
};
inline Tensor log(const Tensor& x) { return apply(Log{}, x); }

// y = √x          dy/dx = 1 / (2 y)
struct Sqrt : Card<Sqrt> {
    static constexpr auto name = "sqrt";
    static constexpr Sample sample{0.3, 3};
    template <class T> T value(T x) const { return sqrt(x); }
    template <class T> T slope(T g, Unused, T y) const { return 0.5 * g / y; }
};
inline Tensor sqrt(const Tensor& x) { return apply(Sqrt{}, x); }

// y = 1 / √x          dy/dx = -y³ / 2
struct Rsqrt : Card<Rsqrt> {
    static constexpr auto name = "rsqrt";
    static constexpr Sample sample{0.3, 3};
    template <class T> T value(T x) const { return 1 / sqrt(x); }
    template <class T> T slope(T g, Unused, T y) const { return -0.5 * g * y * y * y; }
};
inline Tensor rsqrt(const Tensor& x) { return apply(Rsqrt{}, x); }

// y = x²          dy/dx = 2 x
struct Square : Card<Square> {
    static constexpr auto name = "square";
    static constexpr Sample sample{-2, 2};
    template <class T> T value(T x) const { return x * x; }
    template <class T> T slope(T g, T x, Unused) const { return 2 * g * x; }
};
inline Tensor square(const Tensor& x) { return apply(Square{}, x); }

// y = xᵖ          dy/dx = p xᵖ⁻¹
struct PowerOf : Card<PowerOf> {
    double p = 3;
    PowerOf() = default;
    explicit PowerOf(double exponent) : p(exponent) {}
    static constexpr auto name = "pow";
    static constexpr Sample sample{0.3, 2};
    template <class T> T value(T x) const { return pow(x, p); }
    template <class T> T slope(T g, T x, Unused) const { return p * g * pow(x, p - 1); }
};
inline Tensor pow(const Tensor& x, double p) { return apply(PowerOf(p), x); }

// y = |x|          dy/dx = sign x
struct Abs : Card<Abs> {
    static constexpr auto name = "abs";
    static constexpr Sample sample{-2, 2, 0};
    template <class T> T value(T x) const { return abs(x); }
    template <class T> T slope(T g, T x, Unused) const { return g * sign(x); }
};
inline Tensor abs(const Tensor& x) { return apply(Abs{}, x); }

// y = -1, 0 or 1          dy/dx = 0
struct Sign : Card<Sign> {
    static constexpr auto name = "sign";
    static constexpr Sample sample{-2, 2, 0};
    template <class T> T value(T x) const { return sign(x); }
    template <class T> T slope(T g, Unused, Unused) const { return g * 0.0; }
};
inline Tensor sign(const Tensor& x) { return apply(Sign{}, x); }

// y = sin x          dy/dx = cos x
struct Sin : Card<Sin> {
    static constexpr auto name = "sin";
    static constexpr Sample sample{-3, 3};
    template <class T> T value(T x) const { return sin(x); }
    template <class T> T slope(T g, T x, Unused) const { return g * cos(x); }
};
inline Tensor sin(const Tensor& x) { return apply(Sin{}, x); }

// y = cos x          dy/dx = -sin x
struct Cos : Card<Cos> {
    static constexpr auto name = "cos";
    static constexpr Sample sample{-3, 3};
    template <class T> T value(T x) const { return cos(x); }
    template <class T> T slope(T g, T x, Unused) const { return -g * sin(x); }
};
inline Tensor cos(const Tensor& x) { return apply(Cos{}, x); }

// y = tanh x          dy/dx = 1 - y²
struct Tanh : Card<Tanh> {
    static constexpr auto name = "tanh";
    static constexpr Sample sample{-3, 3};
    template <class T> T value(T x) const { return tanh(x); }
    template <class T> T slope(T g, Unused, T y) const { return g * (1 - y * y); }
};
inline Tensor tanh(const Tensor& x) { return apply(Tanh{}, x); }

// y = 1 / (1 + e⁻ˣ)          dy/dx = y (1 - y)
struct Sigmoid : Card<Sigmoid> {
    static constexpr auto name = "sigmoid";
    static constexpr Sample sample{-3, 3};
    template <class T> T value(T x) const { return sigmoid(x); }
    template <class T> T slope(T g, Unused, T y) const { return g * y * (1 - y); }
};
inline Tensor sigmoid(const Tensor& x) { return apply(Sigmoid{}, x); }

// y = max(x, 0)          dy/dx = 1 where x > 0
struct Relu : Card<Relu> {
    static constexpr auto name = "relu";
    static constexpr Sample sample{-2, 2, 0};
    template <class T> T value(T x) const { return maximum(T(0.0), x); }  // NaN stays NaN
    template <class T> T slope(T g, Unused, T y) const { return where(y > 0.0, g, 0.0); }
};
inline Tensor relu(const Tensor& x) { return apply(Relu{}, x); }

// y = x where x > 0, else a x          dy/dx = 1 or a
struct LeakyRelu : Card<LeakyRelu> {
    double a = 0.01;
    LeakyRelu() = default;
    explicit LeakyRelu(double negative_slope) : a(negative_slope) {}
    static constexpr auto name = "leaky_relu";
    static constexpr Sample sample{-2, 2, 0};
    template <class T> T value(T x) const { return where(x > 0.0, x, a * x); }
    template <class T> T slope(T g, T x, Unused) const { return where(x > 0.0, g, a * g); }
};
inline Tensor leaky_relu(const Tensor& x, double negative_slope = 0.01) {
    return apply(LeakyRelu(negative_slope), x);
}

// y = x where x > 0, else a (eˣ - 1)          dy/dx = 1 or a eˣ
struct Elu : Card<Elu> {
    double a = 1;
    Elu() = default;
    explicit Elu(double alpha) : a(alpha) {}
    static constexpr auto name = "elu";
    static constexpr Sample sample{-2, 2, 0};
    template <class T> T value(T x) const {
        return where(x > 0.0, x, a * (exp(minimum(T(0.0), x)) - 1));
    }
    template <class T> T slope(T g, T x, Unused) const {
        return where(x > 0.0, g, a * g * exp(minimum(x, 0.0)));
    }
};
inline Tensor elu(const Tensor& x, double alpha = 1) { return apply(Elu(alpha), x); }

// y = ln(1 + eˣ) = max(x, 0) + ln(1 + e^-|x|)          dy/dx = sigmoid x
struct Softplus : Card<Softplus> {
    static constexpr auto name = "softplus";
    static constexpr Sample sample{-3, 3};
    template <class T> T value(T x) const { return maximum(x, 0.0) + log(1 + exp(-abs(x))); }
    template <class T> T slope(T g, T x, Unused) const { return g * sigmoid(x); }
};
inline Tensor softplus(const Tensor& x) { return apply(Softplus{}, x); }

// y = 2/√π ∫₀ˣ e^(-t²) dt          dy/dx = 2/√π e^(-x²)
struct Erf : Card<Erf> {
    static constexpr auto name = "erf";
    static constexpr Sample sample{-2, 2};
    template <class T> T value(T x) const { return erf(x); }
    template <class T> T slope(T g, T x, Unused) const {
        return 2 * std::numbers::inv_sqrtpi * g * exp(-(x * x));
    }
};
inline Tensor erf(const Tensor& x) { return apply(Erf{}, x); }

// y = x Φ(x), Φ(x) = (1 + erf(x/√2)) / 2          dy/dx = Φ(x) + x φ(x), φ(x) = e^(-x²/2) / √(2π)
// (Hendrycks and Gimpel 2016)
struct Gelu : Card<Gelu> {
    static constexpr auto name = "gelu";
    static constexpr Sample sample{-3, 3};
    static constexpr double root_half = std::numbers::sqrt2 / 2;
    template <class T> T value(T x) const { return 0.5 * x * (1 + erf(root_half * x)); }
    template <class T> T slope(T g, T x, Unused) const {
        const double scale = std::numbers::inv_sqrtpi * root_half;
        return g * (0.5 * (1 + erf(root_half * x)) + scale * x * exp(-0.5 * x * x));
    }
};
inline Tensor gelu(const Tensor& x) { return apply(Gelu{}, x); }

// y = x (1 + tanh u) / 2, u = √(2/π) (x + 0.044715 x³)
// dy/dx = (1 + t) / 2 + x (1 - t²) u' / 2, t = tanh u
struct GeluTanh : Card<GeluTanh> {
    static constexpr auto name = "gelu_tanh";
    static constexpr Sample sample{-3, 3};
    static constexpr double c = std::numbers::inv_sqrtpi * std::numbers::sqrt2, k = 0.044715;
    template <class T> T value(T x) const {
        return 0.5 * x * (1 + tanh(c * (x + k * x * x * x)));
    }
    template <class T> T slope(T g, T x, Unused) const {
        const T t = tanh(c * (x + k * x * x * x));
        return 0.5 * g * (1 + t + x * (1 - t * t) * (c + 3 * c * k * x * x));
    }
};
inline Tensor gelu_tanh(const Tensor& x) { return apply(GeluTanh{}, x); }

// y = x sigmoid x          dy/dx = s + y (1 - s), s = sigmoid x
struct Silu : Card<Silu> {
    static constexpr auto name = "silu";
    static constexpr Sample sample{-3, 3};
    template <class T> T value(T x) const { return x * sigmoid(x); }
    template <class T> T slope(T g, T x, Unused) const {
        const T s = sigmoid(x);
        return g * (s + x * s * (1 - s));
    }
};
inline Tensor silu(const Tensor& x) { return apply(Silu{}, x); }

// y = low, x or high          dy/dx = 1 strictly between
struct Clamp : Card<Clamp> {
    double low = -1, high = 1;
    Clamp() = default;
    Clamp(double lowest, double highest) : low(lowest), high(highest) {}
    static constexpr auto name = "clamp";
    static constexpr Sample sample{-2, 2, -1, 1};
    template <class T> T value(T x) const { return minimum(T(high), maximum(T(low), x)); }
    template <class T> T slope(T g, T x, Unused) const {
        return where(x > low, where(x < high, g, 0.0), 0.0);
    }
};
inline Tensor clamp(const Tensor& x, double low, double high) { return apply(Clamp(low, high), x); }

}  // namespace heed
