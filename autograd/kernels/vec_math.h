// The elementary functions on a register of numbers. The operations of
// ops/elementwise/unary.h with the same names do the same on tensors, so a formula written with them
// runs on both.
//
// For Vec<float> the functions that models use most are computed in three steps: reduce the argument to
// a small interval, evaluate a polynomial there, undo the reduction. The polynomials are minimax fits
// (Remez's exchange, their coefficients then rounded to float); the error named above a function is the
// largest seen, in units of the last place, against long double, and
// tests/autograd/kernels/test_vec_math.cpp holds it.
// NaN gives NaN and infinities give the limits; a result too small for a normal float may be 0.
//
// Vec<double> serves to check gradients, not to be fast: there each lane goes through libm. For
// float and double the names are std's, so that generic code writes exp(x) and means any of them.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

#include "autograd/kernels/vec.h"

namespace heed {
inline namespace HEED_REGISTERS {

using std::acos, std::asin, std::atan, std::atan2, std::ceil, std::cos, std::cosh, std::erf,
    std::exp, std::expm1, std::floor, std::log, std::log1p, std::pow, std::sin, std::sinh, std::tan,
    std::tanh;

namespace detail {

using Bits = Vec<float>::Mask;
inline Bits bits(Vec<float> x) { return (Bits)x.r; }
inline Vec<float> from_bits(Bits x) { return (Vec<float>::Register)x; }
inline const float infinity = std::numeric_limits<float>::infinity();

// c0 + c1 x + c2 x^2 + ..., by Horner's rule.
inline Vec<float> polynomial(Vec<float>, double c) { return c; }
template <class... Rest>
Vec<float> polynomial(Vec<float> x, double c, Rest... rest) {
    return polynomial(x, rest...) * x + c;
}

// A number this large has no bits left after the point: adding it rounds to the nearest integer,
// which then stands in the lowest bits of the sum.
inline constexpr float round_to_integer = 12582912.0f;  // 1.5 * 2^23

// Sums and differences of bit patterns. Unsigned, for they may wrap around where the result is not used.
typedef uint32_t Unsigned __attribute__((vector_size(vec_bytes)));
inline Bits plus(Bits a, Bits b) { return (Bits)((Unsigned)a + (Unsigned)b); }
inline Bits minus(Bits a, Bits b) { return (Bits)((Unsigned)a - (Unsigned)b); }

// y times 2^n, n whole: n is added to the exponent's bits.
inline Vec<float> scale_exponent(Vec<float> y, Bits n) { return from_bits(plus(bits(y), n << 23)); }

inline bool any(Bits mask) { return largest(where(mask, Vec<float>(1), Vec<float>(0))) > 0; }

}  // namespace detail

namespace detail {

// exp(x + low) for a number `low` so small beside x that their sum would lose it:
// exp(x) = 2^n exp(r),  n = round(x / ln 2),  r = x - n ln 2 in [-0.35, 0.35],
// exp(r) = 1 + r + r^2 P(r).  ln 2 is subtracted in two parts, the first so short that n times it
// is exact.
template <class... Low>
Vec<float> exp_of_sum(Vec<float> x, Low... low) {
    const Vec<float> shifted = x * 1.44269504 + round_to_integer;
    const Vec<float> n = shifted - round_to_integer;
    const Vec<float> r = (((x - n * 0.693359375) + n * 2.12194440e-4) + ... + low);
    const Vec<float> p =
        polynomial(r, 0.49999994, 0.166665167, 0.0416681021, 0.00836919248, 0.00138389063);
    const Vec<float> y = scale_exponent(r * r * p + r + 1.0, bits(shifted));
    const Vec<float> bounded = where(x < Vec<float>(-87.3365448), Vec<float>(0), y);
    return where(x < Vec<float>(88.7228394), bounded, x * infinity);
}

}  // namespace detail

// Error: 1.1 ulp.
inline Vec<float> exp(Vec<float> x) { return detail::exp_of_sum(x); }

// log(x) = e ln 2 + log(1 + f),  x = 2^e (1 + f),  1 + f in [sqrt(1/2), sqrt(2)],
// log(1 + f) = f - f^2 / 2 + f^3 P(f). Error: 0.9 ulp.
inline Vec<float> log(Vec<float> x) {
    using namespace detail;
    const auto denormal = x < Vec<float>(std::numeric_limits<float>::min());
    const Vec<float> scaled = where(denormal, x * 16777216.0, x);
    const Bits sqrt_half = bits(0.707106781);
    const Bits exponent = minus(bits(scaled), sqrt_half) >> 23;
    const Vec<float> f = from_bits(minus(bits(scaled), exponent << 23)) - 1.0;
    const Vec<float> e = Vec<float>(__builtin_convertvector(exponent, Vec<float>::Register)) -
                         where(denormal, Vec<float>(24), Vec<float>(0));
    const Vec<float> p = polynomial(f, 0.333333313, -0.250008196, 0.200012267, -0.166233584,
                                    0.142017588, -0.131601796, 0.12761569, -0.076344952);
    const Vec<float> square = f * f;
    const Vec<float> small = square * f * p - e * 2.12194440e-4 - square * 0.5;
    const Vec<float> y = where(x < Vec<float>(infinity), small + f + e * 0.693359375, x);
    const Vec<float> edge = where(x == Vec<float>(0), Vec<float>(-infinity), Vec<float>(NAN));
    return where(x > Vec<float>(0), y, edge);
}

// log(1 + x) = log(u) + (x - (u - 1)) / u,  u = 1 + x as rounded: the second term gives back what
// the rounding took. Error: 1.5 ulp.
inline Vec<float> log1p(Vec<float> x) {
    const Vec<float> u = x + 1.0;
    const Vec<float> lost = x - (u - 1.0);
    return log(u) + where(u - 1.0 == x, Vec<float>(0), lost / u);
}

// exp(x) - 1 = (u - 1) x / log(u),  u = exp(x) as rounded: u - 1 has the rounding error of u in it,
// and log(u) / x the same (Kahan). Error: 3 ulp.
inline Vec<float> expm1(Vec<float> x) {
    const Vec<float> u = exp(x), v = u - 1.0;
    const Vec<float> y = where(v == Vec<float>(-1.0), v, v * (x / log(u)));
    return where(u == Vec<float>(1.0), x, where(u < Vec<float>(detail::infinity), y, u));
}

namespace detail {

// sin(x + quarter_turns * pi / 2). x = n pi/2 + r with r in [-pi/4, pi/4]; odd n takes the cosine
// of r, and bit 1 of n turns the sign. pi/2 is subtracted in five parts, four of them of eleven
// bits, so that n times each is exact for |x| < 8192; larger arguments (rare) go to libm, and only
// they: the sine of a number does not depend on its neighbours in the register.
//   sin(r) = r + r^3 P(r^2),   cos(r) = 1 - r^2 / 2 + r^4 Q(r^2)
inline Vec<float> sine(Vec<float> x, int quarter_turns) {
    const Vec<float> shifted = x * 0.636619772 + round_to_integer;
    Vec<float> r = x, n = shifted - round_to_integer;
    for (double part : {0x1.92p+0, 0x1.fb4p-12, 0x1.444p-24, 0x1.68cp-39, 6.12323400e-17})
        r = r - n * part;
    const Vec<float> z = r * r;
    const Vec<float> sine = r + r * z * polynomial(z, -0.166666552, 0.00833218731, -0.000195179673);
    const Vec<float> cosine =
        1.0 - 0.5 * z + z * z * polynomial(z, 0.0416666456, -0.00138873095, 2.44324256e-05);
    const Bits turns = plus(bits(shifted), Bits{} + quarter_turns);
    const Vec<float> y = where((turns & 1) == 1, cosine, sine);
    return from_bits(bits(y) ^ ((turns & 2) << 30));
}

}  // namespace detail

// Error: 2.4 ulp.
inline Vec<float> sin(Vec<float> x) {
    const Vec<float> y = detail::sine(x, 0);
    const auto large = abs(x) >= Vec<float>(8192);
    if (!detail::any(large)) return y;
    return where(large, each_lane(x, [](float value) { return std::sin(value); }), y);
}

// Error: 2.4 ulp.
inline Vec<float> cos(Vec<float> x) {
    const Vec<float> y = detail::sine(x, 1);
    const auto large = abs(x) >= Vec<float>(8192);
    if (!detail::any(large)) return y;
    return where(large, each_lane(x, [](float value) { return std::cos(value); }), y);
}

// tanh(x) = x + x^3 P(x^2) for |x| < 5/8, else sign(x) (1 - 2 / (exp(2 |x|) + 1)). Error: 1.4 ulp.
inline Vec<float> tanh(Vec<float> x) {
    const Vec<float> size = abs(x), z = x * x;
    const Vec<float> p = detail::polynomial(z, -0.333332807, 0.133314058, -0.0537365153,
                                            0.0206281673, -0.0056922948);
    const Vec<float> tail = 1.0 - 2.0 / (exp(size + size) + 1.0);
    return where(size < Vec<float>(0.625), x + x * z * p, copy_sign(tail, x));
}

// erf(x) = x + x P(x^2) for |x| < 1, else sign(x) (1 - exp(-t - t Q(t))) with t = min(|x|, 3.95);
// from there on erf is 1 in float. Error: 1.3 ulp.
inline Vec<float> erf(Vec<float> x) {
    const Vec<float> t = minimum(Vec<float>(3.95), abs(x)), z = x * x;
    const Vec<float> p = detail::polynomial(z, 0.128379166, -0.37612626, 0.112835787, -0.0268533472,
                                            0.0051871622, -0.00079978531, 7.8069017e-05);
    const Vec<float> q = detail::polynomial(t, 0.128480032, 0.635831475, 0.105116181, -0.0227985177,
                                            0.00318697351, -0.000210647573);
    return where(t < Vec<float>(1), x + x * p, copy_sign(1.0 - exp(-t - t * q), x));
}

namespace detail {

// exp(-z^2 / 2), 0 <= z <= 15. The square of z rounded to twelve bits is exact, and the rest of it is
// added to the reduced argument: z^2 as one float would be off by 4e-6 for z = 9, and exp with it.
inline Vec<float> gaussian(Vec<float> z) {
    const Vec<float> upper = from_bits(bits(z) & -4096);
    return exp_of_sum(upper * upper * -0.5, (upper - z) * (upper + z) * 0.5);
}
inline Vec<float> up_to_15(Vec<float> x) { return minimum(Vec<float>(15), abs(x)); }

// fl(a * b) is off by exactly this much.
inline double lost_in_product(double a, double b) { return std::fma(a, b, -(a * b)); }

}  // namespace detail

// The normal distribution (Hastings' form of the tail, refitted): with z = |x| and t = 1 / (1 + 0.3 z),
// its density is exp(-z^2 / 2) / √(2 π), and its cumulative distribution at -z is exp(-z^2 / 2) t P(t).
// Errors: 3 and 6 ulp, also far out in the tail, where (1 + erf(x / √2)) / 2 has no digit left.
inline Vec<float> normal_pdf(Vec<float> x) {
    return detail::gaussian(detail::up_to_15(x)) * 0.398942280;
}
inline Vec<float> normal_cdf(Vec<float> x) {
    const Vec<float> z = detail::up_to_15(x), t = 1.0 / (1.0 + 0.3 * z);
    const Vec<float> p =
        detail::polynomial(t, 0.119686693, 0.119571812, 0.110235468, 0.0783894435, 0.0961574391,
                           -0.0794246346, 0.191785932, -0.228214651, 0.112436064, -0.0206235517);
    const Vec<float> tail = detail::gaussian(z) * (t * p);
    return where(x < Vec<float>(0), tail, 1.0 - tail);
}

// x to the power y, in all its special cases: through libm.
template <class T>
Vec<T> pow(Vec<T> x, Vec<T> y) {
    for (int i = 0; i < Vec<T>::lanes; ++i) x.r[i] = std::pow(x.r[i], y.r[i]);
    return x;
}
template <class T>
Vec<T> pow(Vec<T> x, double y) {
    return pow(x, Vec<T>(y));
}

// The angle of the point (x, y): through libm as well.
template <class T>
Vec<T> atan2(Vec<T> y, Vec<T> x) {
    for (int i = 0; i < Vec<T>::lanes; ++i) y.r[i] = std::atan2(y.r[i], x.r[i]);
    return y;
}

// Functions that models call rarely go through libm lane by lane, and rounding is one instruction.
// clang-format off
template <class T> Vec<T> tan(Vec<T> x) { return each_lane(x, [](T v) { return std::tan(v); }); }
template <class T> Vec<T> asin(Vec<T> x) { return each_lane(x, [](T v) { return std::asin(v); }); }
template <class T> Vec<T> acos(Vec<T> x) { return each_lane(x, [](T v) { return std::acos(v); }); }
template <class T> Vec<T> atan(Vec<T> x) { return each_lane(x, [](T v) { return std::atan(v); }); }
template <class T> Vec<T> sinh(Vec<T> x) { return each_lane(x, [](T v) { return std::sinh(v); }); }
template <class T> Vec<T> cosh(Vec<T> x) { return each_lane(x, [](T v) { return std::cosh(v); }); }
template <class T> Vec<T> floor(Vec<T> x) { return each_lane(x, [](T v) { return std::floor(v); }); }
template <class T> Vec<T> ceil(Vec<T> x) { return each_lane(x, [](T v) { return std::ceil(v); }); }
template <class T> Vec<T> round(Vec<T> x) { return each_lane(x, [](T v) { return std::rint(v); }); }

inline Vec<double> exp(Vec<double> x) { return each_lane(x, [](double v) { return std::exp(v); }); }
inline Vec<double> log(Vec<double> x) { return each_lane(x, [](double v) { return std::log(v); }); }
inline Vec<double> expm1(Vec<double> x) { return each_lane(x, [](double v) { return std::expm1(v); }); }
inline Vec<double> log1p(Vec<double> x) { return each_lane(x, [](double v) { return std::log1p(v); }); }
inline Vec<double> sin(Vec<double> x) { return each_lane(x, [](double v) { return std::sin(v); }); }
inline Vec<double> cos(Vec<double> x) { return each_lane(x, [](double v) { return std::cos(v); }); }
inline Vec<double> tanh(Vec<double> x) { return each_lane(x, [](double v) { return std::tanh(v); }); }
inline Vec<double> erf(Vec<double> x) { return each_lane(x, [](double v) { return std::erf(v); }); }
// clang-format on

// The same in float64. What the rounding of x² / 2 and of x / √2 took is given back to first order.
inline Vec<double> normal_pdf(Vec<double> x) {
    return each_lane(x, [](double v) {
        const double half = v * v * -0.5;
        const double lost = -0.5 * detail::lost_in_product(v, v);
        return std::exp(half) * (std::isfinite(half) ? 1 + lost : 1) * 0.398942280401432678;
    });
}
inline Vec<double> normal_cdf(Vec<double> x) {
    return each_lane(x, [](double v) {
        const double root = 0.70710678118654752440, rest_of_root = -4.833646656726457e-17;
        const double z = -v * root;
        if (!(std::abs(z) < 30)) return 0.5 * std::erfc(z);
        const double lost = detail::lost_in_product(-v, root) - v * rest_of_root;
        return 0.5 * std::erfc(z) - lost * 0.564189583547756287 * std::exp(-z * z);
    });
}

// sigmoid(x) = 1 / (1 + exp(-x)), for float, double and both registers. Error: 2.5 ulp.
template <class T>
T sigmoid(T x) {
    return T(1) / (T(1) + exp(-x));
}

// σ(x) and σ(-x) = 1 - σ(x), with one exp: neither loses its digits where the other is nearly 1.
template <class T>
std::array<Vec<T>, 2> sigmoid_both(Vec<T> x) {
    const Vec<T> e = exp(-abs(x)), large = 1.0 / (1.0 + e), small = e * large;
    const auto negative = x < Vec<T>(0);
    return {where(negative, small, large), where(negative, large, small)};
}

// w x, and 0 where w is 0, whatever x is.
template <class T>
Vec<T> weighted(Vec<T> w, Vec<T> x) {
    return where(w == Vec<T>(0), Vec<T>(0), w * x);
}

// 1 / √(1 - x²), the slope of the arc sine; (1 - x) (1 + x) keeps the digits where x is nearly 1.
template <class T>
Vec<T> asin_slope(Vec<T> x) {
    return 1 / sqrt((1 - x) * (1 + x));
}

// σ(x) σ(-x), the slope of the sigmoid. Error: 4 ulp.
template <class T>
Vec<T> sigmoid_slope(Vec<T> x) {
    const Vec<T> e = exp(-abs(x)), q = 1.0 / (1.0 + e);
    return e * q * q;
}

}  // namespace HEED_REGISTERS
}  // namespace heed
