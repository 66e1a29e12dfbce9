// Elementwise operations on two tensors, broadcast against each other as NumPy does: aligned at the
// last axis, sizes equal or one of them 1. Each throws when the shapes do not broadcast or the dtypes
// differ. A number may stand for either operand. First the formulas (elementwise.h says how they are
// read), then the functions and operators that programs call.
#pragma once

#include <numbers>

#include "autograd/ops/elementwise/compare.h"
#include "autograd/ops/elementwise/elementwise.h"

namespace heed {

// w x, but 0 where w is 0, whatever x is: for products such as 0 ln 0, and for numbers that a weight of
// 0 is to leave out. Where x is then infinite or NaN, the gradient of w is 0, too.
Tensor weighted(const Tensor& w, const Tensor& x);

namespace formulas {

// Laid out by hand: a rule on one line.
// clang-format off

// y = a + b          dy/da = 1          dy/db = 1
struct Add {
    static constexpr auto name = "add";
    static constexpr Interval interval{-2, 2};
    template <class T> T value(T a, T b) const { return a + b; }
    static constexpr auto saved_a = Saved::nothing;
    template <class T> T slope_a(T g) const { return g; }
    static constexpr auto saved_b = Saved::nothing;
    template <class T> T slope_b(T g) const { return g; }
};

// y = a - b          dy/da = 1          dy/db = -1
struct Sub {
    static constexpr auto name = "sub";
    static constexpr Interval interval{-2, 2};
    template <class T> T value(T a, T b) const { return a - b; }
    static constexpr auto saved_a = Saved::nothing;
    template <class T> T slope_a(T g) const { return g; }
    static constexpr auto saved_b = Saved::nothing;
    template <class T> T slope_b(T g) const { return -g; }
};

// y = a b          dy/da = b          dy/db = a
struct Mul {
    static constexpr auto name = "mul";
    static constexpr Interval interval{-2, 2};
    template <class T> T value(T a, T b) const { return a * b; }
    static constexpr auto saved_a = Saved::b;
    template <class T> T slope_a(T g, T b) const { return g * b; }
    static constexpr auto saved_b = Saved::a;
    template <class T> T slope_b(T g, T a) const { return g * a; }
};

// y = a / b          dy/da = 1 / b          dy/db = -y / b
struct Div {
    static constexpr auto name = "div";
    static constexpr Interval interval{0.5, 2};
    template <class T> T value(T a, T b) const { return a / b; }
    static constexpr auto saved_a = Saved::b;
    template <class T> T slope_a(T g, T b) const { return g / b; }
    static constexpr auto saved_b = Saved::b | Saved::result;
    template <class T> T slope_b(T g, T b, T y) const { return -g * y / b; }
};

// y = max(a, b), NaN if either is; where they are equal each gets half the gradient, and where y is NaN
// each gets all of it, as in PyTorch
struct Maximum {
    static constexpr auto name = "maximum";
    static constexpr Interval interval{-2, 2};
    template <class T> T value(T a, T b) const { return where(a != a, a, maximum(a, b)); }
    static constexpr auto saved_a = Saved::a | Saved::b;
    template <class T> T slope_a(T g, T a, T b) const {
        return where(a < b, 0.0, where(a == b, g * 0.5, g));
    }
    static constexpr auto saved_b = Saved::a | Saved::b;
    template <class T> T slope_b(T g, T a, T b) const {
        return where(b < a, 0.0, where(a == b, g * 0.5, g));
    }
};

// y = min(a, b), NaN if either is; the gradient as that of the maximum
struct Minimum {
    static constexpr auto name = "minimum";
    static constexpr Interval interval{-2, 2};
    template <class T> T value(T a, T b) const { return where(a != a, a, minimum(a, b)); }
    static constexpr auto saved_a = Saved::a | Saved::b;
    template <class T> T slope_a(T g, T a, T b) const {
        return where(a > b, 0.0, where(a == b, g * 0.5, g));
    }
    static constexpr auto saved_b = Saved::a | Saved::b;
    template <class T> T slope_b(T g, T a, T b) const {
        return where(b > a, 0.0, where(a == b, g * 0.5, g));
    }
};

// y = aᵇ, a >= 0          dy/da = b aᵇ⁻¹, 0 for b = 0          dy/db = y log a, 0 for a = 0 and b >= 0
struct Power {
    static constexpr auto name = "pow";
    static constexpr Interval interval{0.5, 2};
    template <class T> T value(T a, T b) const { return pow(a, b); }
    static constexpr auto saved_a = Saved::a | Saved::b;
    template <class T> T slope_a(T g, T a, T b) const {
        const T less = where(a == 0.0, b, where(a != a, b, b - 1));  // NaN to the power 0 is 1
        return g * b * pow(a, where(b == 0.0, less, b - 1));
    }
    static constexpr auto saved_b = Saved::a | Saved::b | Saved::result;
    template <class T> T slope_b(T g, T a, T b, T y) const {
        return g * y * log(where(a == 0.0, where(b >= 0.0, a + 1, a), a));
    }
};

// y = the angle of the point (x, y) from the x axis, in (-π, π]
// dy/da = b / (a² + b²)          dy/db = -a / (a² + b²)          for a = y, b = x
// as b / s / s / ((a / s)² + (b / s)²) with s = max(|a|, |b|), so that no square overflows; 0 at the
// origin, as in PyTorch, and at infinity, the limit.
struct Atan2 {
    static constexpr auto name = "atan2";
    static constexpr Interval interval{0.5, 2};
    template <class T> T value(T a, T b) const { return atan2(a, b); }
    static constexpr auto saved_a = Saved::a | Saved::b;
    template <class T> T slope_a(T g, T a, T b) const {
        const T size = maximum(abs(a), abs(b));
        const auto pole = abs(a) + abs(b) == 0.0, far = size == std::numeric_limits<double>::infinity();
        const T s = where(pole, 1.0, where(far, 1.0, size));
        const T p = where(a != a, a, where(far, 1.0, a / s));
        const T q = where(b != b, b, where(far, 0.0, b / s));
        return g * q / where(pole, 1.0, p * p + q * q) / s;
    }
    static constexpr auto saved_b = Saved::a | Saved::b;
    template <class T> T slope_b(T g, T a, T b) const { return -slope_a(g, b, a); }
};

// y = ln(eᵃ + eᵇ) = max(a, b) + ln(1 + e^-|a - b|)          dy/da = σ(a - b)          dy/db = σ(b - a)
struct LogAddExp {
    static constexpr auto name = "logaddexp";
    static constexpr Interval interval{-2, 2};
    template <class T> T value(T a, T b) const {  // a = b may be infinite
        return where(a == b, a + std::numbers::ln2, maximum(a, b) + log1p(exp(-abs(a - b))));
    }
    static constexpr auto saved_a = Saved::a | Saved::b;
    template <class T> T slope_a(T g, T a, T b) const { return weighted(g, sigmoid(a - b)); }
    static constexpr auto saved_b = Saved::a | Saved::b;
    template <class T> T slope_b(T g, T a, T b) const { return weighted(g, sigmoid(b - a)); }
};

// y = w x, and 0 where w is 0, whatever x is          dy/dw = x, 0 where w is 0 and x not finite          dy/dx = w
struct Weighted {
    static constexpr auto name = "weighted";
    static constexpr Interval interval{-2, 2};
    template <class T> T value(T w, T x) const { return weighted(w, x); }
    static constexpr auto saved_a = Saved::a | Saved::b;
    template <class T> T slope_a(T g, T w, T x) const {
        const auto finite = abs(x) < std::numeric_limits<double>::infinity();
        return g * where(w == 0.0, where(finite, x, 0.0), x);
    }
    static constexpr auto saved_b = Saved::a;
    template <class T> T slope_b(T g, T w) const { return weighted(w, g); }
};

// clang-format on

}  // namespace formulas

Tensor add(const Tensor& a, const Tensor& b);
Tensor sub(const Tensor& a, const Tensor& b);
Tensor mul(const Tensor& a, const Tensor& b);
Tensor div(const Tensor& a, const Tensor& b);
Tensor maximum(const Tensor& a, const Tensor& b);
Tensor minimum(const Tensor& a, const Tensor& b);
Tensor pow(const Tensor& a, const Tensor& b);
Tensor atan2(const Tensor& y, const Tensor& x);      // the angle of the point (x, y), in (-π, π]
Tensor logaddexp(const Tensor& a, const Tensor& b);  // ln(eᵃ + eᵇ), without overflow

inline Tensor operator+(const Tensor& a, const Tensor& b) { return add(a, b); }
inline Tensor operator-(const Tensor& a, const Tensor& b) { return sub(a, b); }
inline Tensor operator*(const Tensor& a, const Tensor& b) { return mul(a, b); }
inline Tensor operator/(const Tensor& a, const Tensor& b) { return div(a, b); }
inline Tensor operator+(const Tensor& a, double b) { return add(a, scalar_for(b, a, "add")); }
inline Tensor operator-(const Tensor& a, double b) { return sub(a, scalar_for(b, a, "sub")); }
inline Tensor operator*(const Tensor& a, double b) { return mul(a, scalar_for(b, a, "mul")); }
inline Tensor operator/(const Tensor& a, double b) { return div(a, scalar_for(b, a, "div")); }
inline Tensor operator+(double a, const Tensor& b) { return add(scalar_for(a, b, "add"), b); }
inline Tensor operator-(double a, const Tensor& b) { return sub(scalar_for(a, b, "sub"), b); }
inline Tensor operator*(double a, const Tensor& b) { return mul(scalar_for(a, b, "mul"), b); }
inline Tensor operator/(double a, const Tensor& b) { return div(scalar_for(a, b, "div"), b); }
inline Tensor maximum(const Tensor& a, double b) { return maximum(a, scalar_for(b, a, "maximum")); }
inline Tensor minimum(const Tensor& a, double b) { return minimum(a, scalar_for(b, a, "minimum")); }

// a += b is a = a + b: the handle a is given a new tensor, and the tensor it held before is not
// changed. Other handles of that tensor (a layer's parameter, an element of a list) still hold it.
inline Tensor& operator+=(Tensor& a, const Tensor& b) { return a = a + b; }
inline Tensor& operator-=(Tensor& a, const Tensor& b) { return a = a - b; }
inline Tensor& operator*=(Tensor& a, const Tensor& b) { return a = a * b; }
inline Tensor& operator/=(Tensor& a, const Tensor& b) { return a = a / b; }
inline Tensor& operator+=(Tensor& a, double b) { return a = a + b; }
inline Tensor& operator-=(Tensor& a, double b) { return a = a - b; }
inline Tensor& operator*=(Tensor& a, double b) { return a = a * b; }
inline Tensor& operator/=(Tensor& a, double b) { return a = a / b; }

// sum += x, of the same or a broadcastable shape. For the backward pass, on memory that nobody else
// sees; not recorded.
void add_in_place(Tensor& sum, const Tensor& x);

// All operations of this file, for the gradient check and the tests.
const std::vector<ListedOperation>& binary_operations();

}  // namespace heed
