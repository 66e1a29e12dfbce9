// Half-precision numbers, 16 bits: 1 of sign, 5 of exponent (bias 15), 10 of fraction (IEEE 754-2019,
// section 3.6). heed computes with none; files and quantised weights hold them.
#pragma once

#include <cstdint>

#include "autograd/base/bit_cast.h"

namespace heed {

// The same number as a float; every half is one. A product of two normal floats, since processors are slow
// with the others.
inline float from_half(uint16_t half) {
    const uint32_t exponent = half >> 10 & 31, fraction = half & 1023u;
    const uint32_t sign = (half & 0x8000u) << 16;
    if (exponent == 31)
        return bit_cast<float>(sign | 0x7f800000u | fraction << 13);  // infinity, NaN
    const auto digits = static_cast<float>(exponent == 0 ? fraction : fraction + 1024);
    const uint32_t power = (exponent == 0 ? 1 : exponent) + 127 - 25;
    return digits * bit_cast<float>(sign | power << 23);
}

// The nearest half; of two, the one with an even fraction. Above 65520 it is infinity.
inline uint16_t to_half(float x) {
    const uint32_t bits = bit_cast<uint32_t>(x), sign = bits >> 16 & 0x8000u,
                   size = bits & 0x7fffffffu;
    if (size > 0x7f800000u) return static_cast<uint16_t>(sign | 0x7e00u);   // NaN
    if (size >= 0x477ff000u) return static_cast<uint16_t>(sign | 0x7c00u);  // 65520 and more
    if (size < 0x38800000u)  // below the smallest normal half, 2^-14: the sum is rounded to 2^-24
        return static_cast<uint16_t>(
            sign | (bit_cast<uint32_t>(bit_cast<float>(size) + 0.5f) - bit_cast<uint32_t>(0.5f)));
    const uint32_t odd = size >> 13 & 1;
    return static_cast<uint16_t>(sign | ((size - (112u << 23) + 0xfffu + odd) >> 13));
}

}  // namespace heed
