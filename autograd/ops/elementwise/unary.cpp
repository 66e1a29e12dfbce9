// A row for each operation, as elementwise.h says: the name, where its gradient is checked, the value,
// what is kept for backward, and the slope g dy/dx. Below it the function that programs call.
#include "autograd/ops/elementwise/unary.h"

#include <numbers>

namespace heed {

using std::numbers::inv_sqrtpi, std::numbers::sqrt2;

// Laid out by hand: a rule on one line.
// clang-format off

// y = -x          dy/dx = -1
constexpr auto neg_formula = unary<Saved::nothing>("neg", {-2, 2},
    [](auto x) { return -x; }, [](auto g) { return -g; });
Tensor neg(const Tensor& x) { return neg_formula(x); }

// y = eˣ          dy/dx = y
constexpr auto exp_formula = unary<Saved::result>("exp", {-2, 2},
    [](auto x) { return exp(x); }, [](auto g, auto y) { return g * y; });
Tensor exp(const Tensor& x) { return exp_formula(x); }

// y = ln x          dy/dx = 1 / x
constexpr auto log_formula = unary<Saved::input>("log", {0.3, 3},
    [](auto x) { return log(x); }, [](auto g, auto x) { return g / x; });
Tensor log(const Tensor& x) { return log_formula(x); }

// y = √x          dy/dx = 1 / (2 y)
constexpr auto sqrt_formula = unary<Saved::result>("sqrt", {0.3, 3},
    [](auto x) { return sqrt(x); }, [](auto g, auto y) { return 0.5 * g / y; });
Tensor sqrt(const Tensor& x) { return sqrt_formula(x); }

// y = 1 / √x          dy/dx = -y³ / 2
constexpr auto rsqrt_formula = unary<Saved::result>("rsqrt", {0.3, 3},
    [](auto x) { return 1 / sqrt(x); }, [](auto g, auto y) { return -0.5 * g * y * y * y; });
Tensor rsqrt(const Tensor& x) { return rsqrt_formula(x); }

// y = x²          dy/dx = 2 x
constexpr auto square_formula = unary<Saved::input>("square", {-2, 2},
    [](auto x) { return x * x; }, [](auto g, auto x) { return 2 * g * x; });
Tensor square(const Tensor& x) { return square_formula(x); }

// y = xᵖ          dy/dx = p xᵖ⁻¹
constexpr auto power_formula(double p) { return unary<Saved::input>("pow", {0.3, 2},
    [p](auto x) { return pow(x, p); }, [p](auto g, auto x) { return p * g * pow(x, p == 0 ? 0 : p - 1); }); }
Tensor pow(const Tensor& x, double p) { return power_formula(p)(x); }

// y = |x|          dy/dx = sign x
constexpr auto abs_formula = unary<Saved::input>("abs", {-2, 2, 0},
    [](auto x) { return abs(x); }, [](auto g, auto x) { return g * sign(x); });
Tensor abs(const Tensor& x) { return abs_formula(x); }

// y = -1, 0 or 1          dy/dx = 0
constexpr auto sign_formula = unary<Saved::nothing>("sign", {-2, 2, 0},
    [](auto x) { return sign(x); }, [](auto g) { return g * 0.0; });
Tensor sign(const Tensor& x) { return sign_formula(x); }

// y = 1 / x          dy/dx = -y²
constexpr auto reciprocal_formula = unary<Saved::result>("reciprocal", {0.3, 3},
    [](auto x) { return 1 / x; }, [](auto g, auto y) { return -g * y * y; });
Tensor reciprocal(const Tensor& x) { return reciprocal_formula(x); }

// y = ln(1 + x), exact for small x          dy/dx = 1 / (1 + x)
constexpr auto log1p_formula = unary<Saved::input>("log1p", {-0.5, 2},
    [](auto x) { return log1p(x); }, [](auto g, auto x) { return g / (1 + x); });
Tensor log1p(const Tensor& x) { return log1p_formula(x); }

// y = eˣ - 1, exact for small x          dy/dx = eˣ
constexpr auto expm1_formula = unary<Saved::input>("expm1", {-2, 2},
    [](auto x) { return expm1(x); }, [](auto g, auto x) { return g * exp(x); });
Tensor expm1(const Tensor& x) { return expm1_formula(x); }

// --- trigonometric and hyperbolic ---------------------------------------------------------------

// y = sin x          dy/dx = cos x
constexpr auto sin_formula = unary<Saved::input>("sin", {-3, 3},
    [](auto x) { return sin(x); }, [](auto g, auto x) { return g * cos(x); });
Tensor sin(const Tensor& x) { return sin_formula(x); }

// y = cos x          dy/dx = -sin x
constexpr auto cos_formula = unary<Saved::input>("cos", {-3, 3},
    [](auto x) { return cos(x); }, [](auto g, auto x) { return -g * sin(x); });
Tensor cos(const Tensor& x) { return cos_formula(x); }

// y = tan x          dy/dx = 1 + y²
constexpr auto tan_formula = unary<Saved::result>("tan", {-1.2, 1.2},
    [](auto x) { return tan(x); }, [](auto g, auto y) { return g * (1 + y * y); });
Tensor tan(const Tensor& x) { return tan_formula(x); }

// y = arc sin x          dy/dx = 1 / √(1 - x²)
constexpr auto asin_formula = unary<Saved::input>("asin", {-0.8, 0.8},
    [](auto x) { return asin(x); }, [](auto g, auto x) { return g * asin_slope(x); });
Tensor asin(const Tensor& x) { return asin_formula(x); }

// y = arc cos x          dy/dx = -1 / √(1 - x²)
constexpr auto acos_formula = unary<Saved::input>("acos", {-0.8, 0.8},
    [](auto x) { return acos(x); }, [](auto g, auto x) { return -g * asin_slope(x); });
Tensor acos(const Tensor& x) { return acos_formula(x); }

// y = 1 / √(1 - x²)          dy/dx = x y³
constexpr auto asin_slope_formula = unary<Saved::input | Saved::result>("asin_slope", {-0.8, 0.8},
    [](auto x) { return asin_slope(x); }, [](auto g, auto x, auto y) { return g * x * y * y * y; });
Tensor asin_slope(const Tensor& x) { return asin_slope_formula(x); }

// y = arc tan x          dy/dx = 1 / (1 + x²)
constexpr auto atan_formula = unary<Saved::input>("atan", {-3, 3},
    [](auto x) { return atan(x); }, [](auto g, auto x) { return g / (1 + x * x); });
Tensor atan(const Tensor& x) { return atan_formula(x); }

// y = (eˣ - e⁻ˣ) / 2          dy/dx = cosh x
constexpr auto sinh_formula = unary<Saved::input>("sinh", {-2, 2},
    [](auto x) { return sinh(x); }, [](auto g, auto x) { return g * cosh(x); });
Tensor sinh(const Tensor& x) { return sinh_formula(x); }

// y = (eˣ + e⁻ˣ) / 2          dy/dx = sinh x
constexpr auto cosh_formula = unary<Saved::input>("cosh", {-2, 2},
    [](auto x) { return cosh(x); }, [](auto g, auto x) { return g * sinh(x); });
Tensor cosh(const Tensor& x) { return cosh_formula(x); }

// y = tanh x          dy/dx = 1 - y² = 4 σ(2 x) σ(-2 x), which keeps its digits where y is nearly 1
constexpr auto tanh_formula = unary<Saved::input>("tanh", {-3, 3},
    [](auto x) { return tanh(x); }, [](auto g, auto x) { return 4 * sigmoid_slope(2 * x) * g; });
Tensor tanh(const Tensor& x) { return tanh_formula(x); }

// --- activations --------------------------------------------------------------------------------

// y = σ(x) = 1 / (1 + e⁻ˣ)          dy/dx = y (1 - y) = σ(x) σ(-x), which keeps its digits where y is nearly 1
constexpr auto sigmoid_formula = unary<Saved::input>("sigmoid", {-3, 3},
    [](auto x) { return sigmoid(x); }, [](auto g, auto x) { return g * sigmoid_slope(x); });
Tensor sigmoid(const Tensor& x) { return sigmoid_formula(x); }
std::array<Tensor, 2> sigmoid_both(const Tensor& x) { return {sigmoid(x), sigmoid(-x)}; }

// y = σ(x) σ(-x)          dy/dx = y (σ(-x) - σ(x)) = -y tanh(x / 2), which keeps its digits where x is nearly 0
constexpr auto sigmoid_slope_formula = unary<Saved::input | Saved::result>("sigmoid_slope", {-3, 3},
    [](auto x) { return sigmoid_slope(x); }, [](auto g, auto x, auto y) { return -g * y * tanh(0.5 * x); });
Tensor sigmoid_slope(const Tensor& x) { return sigmoid_slope_formula(x); }

// y = ln σ(x) = -ln(1 + e⁻ˣ)          dy/dx = σ(-x)
constexpr auto log_sigmoid_formula = unary<Saved::input>("log_sigmoid", {-3, 3},
    [](auto x) { return minimum(x, 0.0) - log1p(exp(-abs(x))); }, [](auto g, auto x) { return g * sigmoid(-x); });
Tensor log_sigmoid(const Tensor& x) { return log_sigmoid_formula(x); }

// y = max(x, 0), NaN stays NaN          dy/dx = 0 where x <= 0, else 1; where x is NaN too, as in PyTorch
constexpr auto relu_formula = unary<Saved::result>("relu", {-2, 2, 0},
    []<class T>(T x) { return maximum(T(0.0), x); }, [](auto g, auto y) { return where(y <= 0.0, 0.0, g); });
Tensor relu(const Tensor& x) { return relu_formula(x); }

// y = x where x > 0, else a x          dy/dx = 1 or a
constexpr auto leaky_relu_formula(double a) { return unary<Saved::input>("leaky_relu", {-2, 2, 0},
    [a](auto x) { return where(x > 0.0, x, a * x); }, [a](auto g, auto x) { return where(x > 0.0, g, a * g); }); }
Tensor leaky_relu(const Tensor& x, double negative_slope) { return leaky_relu_formula(negative_slope)(x); }

// y = x where x > 0, else a (eˣ - 1)          dy/dx = 1 or a eˣ
constexpr auto elu_formula(double a) { return unary<Saved::input>("elu", {-2, 2, 0},
    [a]<class T>(T x) { return where(x > 0.0, x, a * expm1(minimum(T(0.0), x))); },
    [a](auto g, auto x) { return where(x <= 0.0, a * g * exp(minimum(x, 0.0)), g); }); }
Tensor elu(const Tensor& x, double alpha) { return elu_formula(alpha)(x); }

// y = ln(1 + eˣ) = max(x, 0) + ln(1 + e^-|x|)          dy/dx = sigmoid x
constexpr auto softplus_formula = unary<Saved::input>("softplus", {-3, 3},
    [](auto x) { return maximum(x, 0.0) + log1p(exp(-abs(x))); }, [](auto g, auto x) { return g * sigmoid(x); });
Tensor softplus(const Tensor& x) { return softplus_formula(x); }

// y = x Φ(x)          dy/dx = Φ(x) + x φ(x)
// (Hendrycks and Gimpel 2016)
constexpr auto gelu_formula = unary<Saved::input>("gelu", {-3, 3},
    [](auto x) { return x * normal_cdf(x); }, [](auto g, auto x) { return g * (normal_cdf(x) + x * normal_pdf(x)); });
Tensor gelu(const Tensor& x) { return gelu_formula(x); }

constexpr double c = inv_sqrtpi * sqrt2, k = 0.044715;

// y = x (1 + tanh u) / 2 = x σ(2 u), u = c (x + k x³), c = √(2/π), k = 0.044715
// dy/dx = σ(2 u) + x σ(2 u) σ(-2 u) 2 u'. The second term vanishes long before x² overflows.
constexpr auto gelu_tanh_formula = unary<Saved::input>("gelu_tanh", {-3, 3},
    [](auto x) { return x * sigmoid(2 * c * (x + k * x * x * x)); },
    []<class T>(T g, T x) {
        const auto [s, not_s] = sigmoid_both(T(2 * c * (x + k * x * x * x)));
        const T near = minimum(maximum(x, -30.0), 30.0);
        return g * (s + near * s * not_s * (2 * c + 6 * c * k * near * near));
    });
Tensor gelu_tanh(const Tensor& x) { return gelu_tanh_formula(x); }

// y = x σ(x)          dy/dx = σ(x) + x σ(x) σ(-x)
constexpr auto silu_formula = unary<Saved::input>("silu", {-3, 3},
    [](auto x) { return x * sigmoid(x); },
    [](auto g, auto x) {
        const auto [s, not_s] = sigmoid_both(x);
        return g * s * (1 + x * not_s);
    });
Tensor silu(const Tensor& x) { return silu_formula(x); }

// --- the normal distribution --------------------------------------------------------------------

// y = 2/√π ∫₀ˣ e^(-t²) dt          dy/dx = 2/√π e^(-x²)
constexpr auto erf_formula = unary<Saved::input>("erf", {-2, 2},
    [](auto x) { return erf(x); }, [](auto g, auto x) { return 2 * inv_sqrtpi * g * exp(-(x * x)); });
Tensor erf(const Tensor& x) { return erf_formula(x); }

// y = φ(x) = e^(-x²/2) / √(2π), the density of the normal distribution          dy/dx = -x y
constexpr auto normal_pdf_formula = unary<Saved::input | Saved::result>("normal_pdf", {-3, 3},
    [](auto x) { return normal_pdf(x); }, [](auto g, auto x, auto y) { return -g * x * y; });
Tensor normal_pdf(const Tensor& x) { return normal_pdf_formula(x); }

// y = Φ(x) = (1 + erf(x/√2)) / 2, its cumulative distribution          dy/dx = φ(x)
constexpr auto normal_cdf_formula = unary<Saved::input>("normal_cdf", {-3, 3},
    [](auto x) { return normal_cdf(x); }, [](auto g, auto x) { return g * normal_pdf(x); });
Tensor normal_cdf(const Tensor& x) { return normal_cdf_formula(x); }

// --- limits and whole numbers -------------------------------------------------------------------

// y = low, x or high          dy/dx = 1 from low to high, both included
constexpr auto clamp_formula(double low, double high) { return unary<Saved::input>("clamp", {-2, 2, -1, 1},
    [=]<class T>(T x) { return minimum(T(high), maximum(T(low), x)); },
    [=](auto g, auto x) { return where(x >= low, where(x <= high, g, 0.0), 0.0); }); }
Tensor clamp(const Tensor& x, double low, double high) { return clamp_formula(low, high)(x); }

// The largest integer up to x          dy/dx = 0
constexpr auto floor_formula = unary<Saved::nothing>("floor", {0.1, 0.9},
    [](auto x) { return floor(x); }, [](auto g) { return g * 0.0; });
Tensor floor(const Tensor& x) { return floor_formula(x); }

// The smallest integer from x on          dy/dx = 0
constexpr auto ceil_formula = unary<Saved::nothing>("ceil", {0.1, 0.9},
    [](auto x) { return ceil(x); }, [](auto g) { return g * 0.0; });
Tensor ceil(const Tensor& x) { return ceil_formula(x); }

// The nearest integer; of two equally near ones the even one          dy/dx = 0
constexpr auto round_formula = unary<Saved::nothing>("round", {0.6, 1.4},
    [](auto x) { return round(x); }, [](auto g) { return g * 0.0; });
Tensor round(const Tensor& x) { return round_formula(x); }

// --- what is checked ----------------------------------------------------------------------------

constexpr auto cube = power_formula(3);
constexpr auto leaky_relu_of_1_percent = leaky_relu_formula(0.01);
constexpr auto elu_of_1 = elu_formula(1);
constexpr auto clamp_to_1 = clamp_formula(-1, 1);

// clang-format on

const std::vector<ListedOperation>& unary_operations() {
    static const auto all =
        list_of<neg_formula, exp_formula, log_formula, sqrt_formula, rsqrt_formula, square_formula,
                cube, abs_formula, sign_formula, sin_formula, cos_formula, tanh_formula,
                sigmoid_formula, relu_formula, leaky_relu_of_1_percent, elu_of_1, softplus_formula,
                erf_formula, gelu_formula, gelu_tanh_formula, silu_formula, clamp_to_1,
                log1p_formula, expm1_formula, reciprocal_formula, tan_formula, asin_formula,
                acos_formula, atan_formula, sinh_formula, cosh_formula, floor_formula, ceil_formula,
                round_formula, log_sigmoid_formula, normal_pdf_formula, normal_cdf_formula,
                sigmoid_slope_formula, asin_slope_formula>();
    return all;
}

}  // namespace heed
