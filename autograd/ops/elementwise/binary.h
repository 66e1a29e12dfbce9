// Elementwise operations on two tensors, such as +, *, maximum and pow. binary.cpp has a row for each,
// with its formula and its slopes.
//
// The two are broadcast against each other as NumPy does: aligned at the last axis, sizes equal or one of
// them 1. Each operation throws when the shapes do not broadcast or the dtypes differ. A number may stand
// for either operand.
#pragma once

#include <vector>

#include "autograd/ops/elementwise/compare.h"
#include "autograd/ops/elementwise/elementwise.h"

namespace heed {

// w x, but 0 where w is 0, whatever x is: for products such as 0 ln 0, and for numbers that a weight of
// 0 is to leave out. Where x is then infinite or NaN, the gradient of w is 0, too.
Tensor weighted(const Tensor& w, const Tensor& x);

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
