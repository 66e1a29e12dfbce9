// Elementwise operations on two tensors, broadcast against each other as NumPy does: aligned at the
// last axis, sizes equal or one of them 1. Each throws when the shapes do not broadcast or the dtypes
// differ. A number may stand for either operand.
#pragma once

#include "autograd/ops/cards.h"

namespace heed {

// y = a + b          dy/da = 1          dy/db = 1
struct Add : Card<Add> {
    static constexpr auto name = "add";
    static constexpr Sample sample{-2, 2};
    template <class T> T value(T a, T b) const { return a + b; }
    template <class T> T slope_a(T g, Unused, Unused, Unused) const { return g; }
    template <class T> T slope_b(T g, Unused, Unused, Unused) const { return g; }
};
inline Tensor add(const Tensor& a, const Tensor& b) { return apply(Add{}, a, b); }

// y = a - b          dy/da = 1          dy/db = -1
struct Sub : Card<Sub> {
    static constexpr auto name = "sub";
    static constexpr Sample sample{-2, 2};
    template <class T> T value(T a, T b) const { return a - b; }
    template <class T> T slope_a(T g, Unused, Unused, Unused) const { return g; }
    template <class T> T slope_b(T g, Unused, Unused, Unused) const { return -g; }
};
inline Tensor sub(const Tensor& a, const Tensor& b) { return apply(Sub{}, a, b); }

// y = a b          dy/da = b          dy/db = a
struct Mul : Card<Mul> {
    static constexpr auto name = "mul";
    static constexpr Sample sample{-2, 2};
    template <class T> T value(T a, T b) const { return a * b; }
    template <class T> T slope_a(T g, Unused, T b, Unused) const { return g * b; }
    template <class T> T slope_b(T g, T a, Unused, Unused) const { return g * a; }
};
inline Tensor mul(const Tensor& a, const Tensor& b) { return apply(Mul{}, a, b); }

// y = a / b          dy/da = 1 / b          dy/db = -y / b
struct Div : Card<Div> {
    static constexpr auto name = "div";
    static constexpr Sample sample{0.5, 2};
    template <class T> T value(T a, T b) const { return a / b; }
    template <class T> T slope_a(T g, Unused, T b, Unused) const { return g / b; }
    template <class T> T slope_b(T g, Unused, T b, T y) const { return -g * y / b; }
};
inline Tensor div(const Tensor& a, const Tensor& b) { return apply(Div{}, a, b); }

// y = max(a, b), NaN if either is; where they are equal each gets half the gradient
struct Maximum : Card<Maximum> {
    static constexpr auto name = "maximum";
    static constexpr Sample sample{-2, 2};
    template <class T> T value(T a, T b) const { return where(a != a, a, maximum(a, b)); }
    template <class T> T slope_a(T g, T a, T b, Unused) const {
        return where(a > b, g, where(a == b, g * 0.5, 0.0));
    }
    template <class T> T slope_b(T g, T a, T b, Unused) const {
        return where(b > a, g, where(a == b, g * 0.5, 0.0));
    }
};
inline Tensor maximum(const Tensor& a, const Tensor& b) { return apply(Maximum{}, a, b); }

// y = min(a, b), NaN if either is; where they are equal each gets half the gradient
struct Minimum : Card<Minimum> {
    static constexpr auto name = "minimum";
    static constexpr Sample sample{-2, 2};
    template <class T> T value(T a, T b) const { return where(a != a, a, minimum(a, b)); }
    template <class T> T slope_a(T g, T a, T b, Unused) const {
        return where(a < b, g, where(a == b, g * 0.5, 0.0));
    }
    template <class T> T slope_b(T g, T a, T b, Unused) const {
        return where(b < a, g, where(a == b, g * 0.5, 0.0));
    }
};
inline Tensor minimum(const Tensor& a, const Tensor& b) { return apply(Minimum{}, a, b); }

// y = aᵇ, a > 0          dy/da = b y / a          dy/db = y log a
struct Power : Card<Power> {
    static constexpr auto name = "pow";
    static constexpr Sample sample{0.5, 2};
    template <class T> T value(T a, T b) const { return pow(a, b); }
    template <class T> T slope_a(T g, T a, T b, T y) const { return g * b * y / a; }
    template <class T> T slope_b(T g, T a, Unused, T y) const { return g * y * log(a); }
};
inline Tensor pow(const Tensor& a, const Tensor& b) { return apply(Power{}, a, b); }

// --- operators, numbers, comparisons ----------------------------------------------------------

inline Tensor operator+(const Tensor& a, const Tensor& b) { return add(a, b); }
inline Tensor operator-(const Tensor& a, const Tensor& b) { return sub(a, b); }
inline Tensor operator*(const Tensor& a, const Tensor& b) { return mul(a, b); }
inline Tensor operator/(const Tensor& a, const Tensor& b) { return div(a, b); }
inline Tensor operator+(const Tensor& a, double b) { return add(a, scalar(b, a.dtype())); }
inline Tensor operator-(const Tensor& a, double b) { return sub(a, scalar(b, a.dtype())); }
inline Tensor operator*(const Tensor& a, double b) { return mul(a, scalar(b, a.dtype())); }
inline Tensor operator/(const Tensor& a, double b) { return div(a, scalar(b, a.dtype())); }
inline Tensor operator+(double a, const Tensor& b) { return add(scalar(a, b.dtype()), b); }
inline Tensor operator-(double a, const Tensor& b) { return sub(scalar(a, b.dtype()), b); }
inline Tensor operator*(double a, const Tensor& b) { return mul(scalar(a, b.dtype()), b); }
inline Tensor operator/(double a, const Tensor& b) { return div(scalar(a, b.dtype()), b); }
inline Tensor maximum(const Tensor& a, double b) { return maximum(a, scalar(b, a.dtype())); }
inline Tensor minimum(const Tensor& a, double b) { return minimum(a, scalar(b, a.dtype())); }

// 1 where the relation holds, 0 where not, in the dtype of the operands. Constants: no gradient.
Tensor operator<(const Tensor& a, const Tensor& b);
Tensor operator>(const Tensor& a, const Tensor& b);
Tensor operator<=(const Tensor& a, const Tensor& b);
Tensor operator>=(const Tensor& a, const Tensor& b);
Tensor operator==(const Tensor& a, const Tensor& b);
Tensor operator!=(const Tensor& a, const Tensor& b);
inline Tensor operator<(const Tensor& a, double b) { return a < scalar(b, a.dtype()); }
inline Tensor operator>(const Tensor& a, double b) { return a > scalar(b, a.dtype()); }
inline Tensor operator<=(const Tensor& a, double b) { return a <= scalar(b, a.dtype()); }
inline Tensor operator>=(const Tensor& a, double b) { return a >= scalar(b, a.dtype()); }
inline Tensor operator==(const Tensor& a, double b) { return a == scalar(b, a.dtype()); }
inline Tensor operator!=(const Tensor& a, double b) { return a != scalar(b, a.dtype()); }

// Element by element: yes where the mask is not 0, no where it is. All three broadcast. The mask gets
// no gradient; what is not chosen gets exactly 0, whatever is in it.
Tensor where(const Tensor& mask, const Tensor& yes, const Tensor& no);
Tensor where(const Tensor& mask, const Tensor& yes, double no);
Tensor where(const Tensor& mask, double yes, const Tensor& no);

// sum += x (of the same or a broadcastable shape). For the walk, on memory nobody else sees.
void add_in_place(Tensor& sum, const Tensor& x);

}  // namespace heed
