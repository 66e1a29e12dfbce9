// Powers of two that keep squares from overflowing. In float32 the square of 2e19 is infinite and that
// of 1e-23 is 0, so a norm √(Σ x²) fails long before its value does. Here each row is multiplied by a
// power of two first, which changes no digit, and the result is divided by it (as BLAS nrm2 does).
// A scale is a constant: no gradient flows to it, and none is needed, for the result does not depend
// on it.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "autograd/ops/reduce/reductions.h"

namespace heed::scaling {

// Up to 2^±far the squares of numbers, and the sums of squares of many, are normal numbers.
template <class T>
inline constexpr int far = sizeof(T) == 4 ? 40 : 400;

// The power of two that brings a row whose largest |x| is `largest` near 1; 1 if its exponent is at most
// `unless` in size, or if there is none: for 0, infinity and NaN.
template <class T>
T scale_of(T largest, int unless) {
    constexpr int limit = std::numeric_limits<T>::max_exponent - 2;
    if (!(largest > 0) || !std::isfinite(largest)) return 1;
    const int exponent = std::ilogb(largest);
    return std::abs(exponent) <= unless ? 1
                                        : std::ldexp(T(1), std::clamp(-exponent, -limit, limit));
}

// What is added to the mean of the squares of scaled numbers: eps times the square of the scale, but not 0.
template <class T>
T eps_of(T scale, double eps) {
    if (scale == 1 || eps == 0) return static_cast<T>(eps);
    return std::max(static_cast<T>(eps) * scale * scale, std::numeric_limits<T>::min());
}

// The scales of all rows along the axes, which are kept with size 1.
Tensor scales(const Tensor& x, const AxesOrAll& axes);
// The same, but 1 for rows whose squares fit; with a positive eps, small squares need not fit.
Tensor scales_for_squares(const Tensor& x, const AxesOrAll& axes, double eps);
Tensor eps_of(const Tensor& scales, double eps);

// Whether sums of p-th powers fitted, judged by the norms that came of them: none is infinite, NaN, 0 or
// so small that digits were lost.
bool powers_fitted(const Tensor& norms, double p);

}  // namespace heed::scaling
