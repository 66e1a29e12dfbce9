// Elementwise operations on one tensor, such as exp, log, tanh and relu. unary.cpp has a row for each,
// with its formula and its slope.
#pragma once

#include <array>
#include <vector>

#include "autograd/ops/elementwise/binary.h"
#include "autograd/ops/elementwise/elementwise.h"

namespace heed {

Tensor neg(const Tensor& x);
Tensor exp(const Tensor& x);
Tensor log(const Tensor& x);
Tensor sqrt(const Tensor& x);
Tensor rsqrt(const Tensor& x);  // 1 / √x
Tensor square(const Tensor& x);
Tensor pow(const Tensor& x, double p);
Tensor abs(const Tensor& x);
Tensor sign(const Tensor& x);  // -1, 0 or 1
Tensor reciprocal(const Tensor& x);
Tensor log1p(const Tensor& x);  // ln(1 + x), exact for small x
Tensor expm1(const Tensor& x);  // eˣ - 1, exact for small x

Tensor sin(const Tensor& x);
Tensor cos(const Tensor& x);
Tensor tan(const Tensor& x);
Tensor asin(const Tensor& x);
Tensor acos(const Tensor& x);
Tensor atan(const Tensor& x);
Tensor sinh(const Tensor& x);
Tensor cosh(const Tensor& x);
Tensor tanh(const Tensor& x);

Tensor sigmoid(const Tensor& x);
Tensor log_sigmoid(const Tensor& x);
Tensor relu(const Tensor& x);
Tensor leaky_relu(const Tensor& x, double negative_slope = 0.01);
Tensor elu(const Tensor& x, double alpha = 1);
Tensor softplus(const Tensor& x);
Tensor gelu(const Tensor& x);
Tensor gelu_tanh(const Tensor& x);
Tensor silu(const Tensor& x);

Tensor erf(const Tensor& x);
Tensor normal_pdf(const Tensor& x);
Tensor normal_cdf(const Tensor& x);  // SciPy's ndtr

Tensor clamp(const Tensor& x, double low, double high);
Tensor floor(const Tensor& x);
Tensor ceil(const Tensor& x);
Tensor round(const Tensor& x);

inline Tensor operator-(const Tensor& x) { return neg(x); }

// Slopes of others: σ(x) σ(-x) of the sigmoid, 1 / √(1 - x²) of the arc sine.
Tensor sigmoid_slope(const Tensor& x);
Tensor asin_slope(const Tensor& x);
// σ(x) and σ(-x) = 1 - σ(x), each of the shape of x; on registers in vec_math.h.
std::array<Tensor, 2> sigmoid_both(const Tensor& x);

// All operations of this file, for the gradient check and the tests.
const std::vector<ListedOperation>& unary_operations();

}  // namespace heed
