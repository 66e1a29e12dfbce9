// A row for each operation, as elementwise.h says: the name, where its gradient is checked, the value,
// and for each of the two tensors the slope, g dy/da and g dy/db; in front, what each slope needs. Below
// it the function that programs call.
#include "autograd/ops/elementwise/binary.h"

#include <limits>
#include <numbers>

#include "autograd/ops/elementwise/unary.h"

namespace heed {

constexpr double infinity = std::numeric_limits<double>::infinity();

// Laid out by hand: a rule on one line.
// clang-format off

// y = a + b          dy/da = 1          dy/db = 1
constexpr auto add_formula = binary<Saved::nothing, Saved::nothing>("add", {-2, 2},
    [](auto a, auto b) { return a + b; }, [](auto g) { return g; }, [](auto g) { return g; });
Tensor add(const Tensor& a, const Tensor& b) { return add_formula(a, b); }

// y = a - b          dy/da = 1          dy/db = -1
constexpr auto sub_formula = binary<Saved::nothing, Saved::nothing>("sub", {-2, 2},
    [](auto a, auto b) { return a - b; }, [](auto g) { return g; }, [](auto g) { return -g; });
Tensor sub(const Tensor& a, const Tensor& b) { return sub_formula(a, b); }

// y = a b          dy/da = b          dy/db = a
constexpr auto mul_formula = binary<Saved::b, Saved::a>("mul", {-2, 2},
    [](auto a, auto b) { return a * b; }, [](auto g, auto b) { return g * b; }, [](auto g, auto a) { return g * a; });
Tensor mul(const Tensor& a, const Tensor& b) { return mul_formula(a, b); }

// y = a / b          dy/da = 1 / b          dy/db = -y / b
constexpr auto div_formula = binary<Saved::b, Saved::b | Saved::result>("div", {0.5, 2},
    [](auto a, auto b) { return a / b; }, [](auto g, auto b) { return g / b; }, [](auto g, auto b, auto y) { return -g * y / b; });
Tensor div(const Tensor& a, const Tensor& b) { return div_formula(a, b); }

// y = max(a, b), NaN if either is; where they are equal each gets half the gradient, and where y is NaN
// each gets all of it, as in PyTorch
constexpr auto maximum_formula = binary<Saved::a | Saved::b, Saved::a | Saved::b>("maximum", {-2, 2},
    [](auto a, auto b) { return where(a != a, a, maximum(a, b)); },
    [](auto g, auto a, auto b) { return where(a < b, 0.0, where(a == b, g * 0.5, g)); },
    [](auto g, auto a, auto b) { return where(b < a, 0.0, where(a == b, g * 0.5, g)); });
Tensor maximum(const Tensor& a, const Tensor& b) { return maximum_formula(a, b); }

// y = min(a, b), NaN if either is; the gradient as that of the maximum
constexpr auto minimum_formula = binary<Saved::a | Saved::b, Saved::a | Saved::b>("minimum", {-2, 2},
    [](auto a, auto b) { return where(a != a, a, minimum(a, b)); },
    [](auto g, auto a, auto b) { return where(a > b, 0.0, where(a == b, g * 0.5, g)); },
    [](auto g, auto a, auto b) { return where(b > a, 0.0, where(a == b, g * 0.5, g)); });
Tensor minimum(const Tensor& a, const Tensor& b) { return minimum_formula(a, b); }

// y = aᵇ, a >= 0          dy/da = b aᵇ⁻¹, 0 for b = 0          dy/db = y log a, 0 for a = 0 and b >= 0
constexpr auto pow_formula = binary<Saved::a | Saved::b, Saved::a | Saved::b | Saved::result>("pow", {0.5, 2},
    [](auto a, auto b) { return pow(a, b); },
    [](auto g, auto a, auto b) {
        const auto less = where(a == 0.0, b, where(a != a, b, b - 1));  // NaN to the power 0 is 1
        return g * b * pow(a, where(b == 0.0, less, b - 1));
    },
    [](auto g, auto a, auto b, auto y) { return g * y * log(where(a == 0.0, where(b >= 0.0, a + 1, a), a)); });
Tensor pow(const Tensor& a, const Tensor& b) { return pow_formula(a, b); }

// dy/da = b / (a² + b²) of atan2, as b / s / s / ((a / s)² + (b / s)²) with s = max(|a|, |b|), so that no
// square overflows; 0 at the origin, as in PyTorch, and at infinity, the limit.
constexpr auto atan2_slope = []<class T>(T g, T a, T b) {
    const T size = maximum(abs(a), abs(b));
    const auto pole = abs(a) + abs(b) == 0.0, far = size == infinity;
    const T s = where(pole, 1.0, where(far, 1.0, size));
    const T p = where(a != a, a, where(far, 1.0, a / s));
    const T q = where(b != b, b, where(far, 0.0, b / s));
    return g * q / where(pole, 1.0, p * p + q * q) / s;
};

// y = the angle of the point (b, a) from the x axis, in (-π, π]
// dy/da = b / (a² + b²)          dy/db = -a / (a² + b²)
constexpr auto atan2_formula = binary<Saved::a | Saved::b, Saved::a | Saved::b>("atan2", {0.5, 2},
    [](auto a, auto b) { return atan2(a, b); },
    atan2_slope, [](auto g, auto a, auto b) { return -atan2_slope(g, b, a); });
Tensor atan2(const Tensor& y, const Tensor& x) { return atan2_formula(y, x); }

// y = ln(eᵃ + eᵇ) = max(a, b) + ln(1 + e^-|a - b|), a = b may be infinite          dy/da = σ(a - b)          dy/db = σ(b - a)
constexpr auto logaddexp_formula = binary<Saved::a | Saved::b, Saved::a | Saved::b>("logaddexp", {-2, 2},
    [](auto a, auto b) { return where(a == b, a + std::numbers::ln2, maximum(a, b) + log1p(exp(-abs(a - b)))); },
    [](auto g, auto a, auto b) { return weighted(g, sigmoid(a - b)); },
    [](auto g, auto a, auto b) { return weighted(g, sigmoid(b - a)); });
Tensor logaddexp(const Tensor& a, const Tensor& b) { return logaddexp_formula(a, b); }

// y = w x, and 0 where w is 0, whatever x is          dy/dw = x, 0 where w is 0 and x not finite          dy/dx = w
constexpr auto weighted_formula = binary<Saved::a | Saved::b, Saved::a>("weighted", {-2, 2},
    [](auto w, auto x) { return weighted(w, x); },
    [](auto g, auto w, auto x) { return g * where(w == 0.0, where(abs(x) < infinity, x, 0.0), x); },
    [](auto g, auto w) { return weighted(w, g); });
Tensor weighted(const Tensor& w, const Tensor& x) { return weighted_formula(w, x); }

// clang-format on

const std::vector<ListedOperation>& binary_operations() {
    static const auto all =
        list_of<add_formula, sub_formula, mul_formula, div_formula, maximum_formula,
                minimum_formula, pow_formula, atan2_formula, logaddexp_formula, weighted_formula>();
    return all;
}

void add_in_place(Tensor& sum, const Tensor& x) {
    check_defined("add_in_place", sum, x);
    check_same_dtype(sum, x, "add_in_place");
    check(broadcasts_to(x.shape(), sum.shape()), "add_in_place: {} does not broadcast to {}",
          x.shape(), sum.shape());
    with_dtype(sum.dtype(), [&]<class T>(T) { sum.edit<T>(); });  // counts as an edit
    map_elements_into(
        sum, [](auto a, auto b) { return a + b; }, sum, x);
}

}  // namespace heed
