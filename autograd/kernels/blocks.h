// Weights in blocks of 32, with 8 or 4 bits each: whole numbers q, and for each block a scale d and
// perhaps a minimum m, which are half-precision numbers. They lie in memory exactly as in files of
// the format GGUF (ggml: ggml-common.h and ggml-quants.c, quantize_row_q8_0_ref and its neighbours).
//
//     q8_0   34 bytes   w = d q             q in -127 .. 127    d = max |w| / 127
//     q4_0   18 bytes   w = d (q - 8)       q in 0 .. 15        d = w* / -8, w* the largest in size
//     q4_1   20 bytes   w = d q + m         q in 0 .. 15        m = min w, d = (max w - m) / 15
//
// Since each block has a scale of its own, one large weight costs its 31 neighbours their precision,
// and nobody else.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "autograd/base/half.h"

namespace heed {

enum class BlockFormat { q8_0, q4_0, q4_1 };

inline constexpr int64_t block_weights = 32;

struct BlockQ8_0 {
    uint16_t scale = 0;
    int8_t q[block_weights] = {};

    float weight(int64_t i) const { return from_half(scale) * static_cast<float>(q[i]); }

    void quantise(const float* w) {
        float largest = 0;
        for (int64_t i = 0; i < block_weights; ++i) largest = std::max(largest, std::abs(w[i]));
        const float d = largest / 127, inverse = d > 0 ? 1 / d : 0;
        scale = to_half(d);
        for (int64_t i = 0; i < block_weights; ++i)
            q[i] = static_cast<int8_t>(std::clamp(std::round(w[i] * inverse), -127.0f, 127.0f));
    }
};

// Two numbers of 4 bits in a byte: of byte j the lower half is number j and the upper half number j + 16.
struct Nibbles {
    static constexpr int64_t bytes = block_weights / 2;
    uint8_t of[bytes] = {};

    int operator[](int64_t i) const { return i < bytes ? of[i] & 15 : of[i - bytes] >> 4; }
    void set(int64_t j, int low, int high) { of[j] = static_cast<uint8_t>(low | high << 4); }
};

struct BlockQ4_0 {
    uint16_t scale = 0;
    Nibbles q;

    float weight(int64_t i) const { return from_half(scale) * static_cast<float>(q[i] - 8); }

    // 16 steps have no middle: from -8 to 7. The weight that is the largest in size becomes -8.
    void quantise(const float* w) {
        const float largest = *std::max_element(
            w, w + block_weights, [](float a, float b) { return std::abs(a) < std::abs(b); });
        const float d = largest / -8, inverse = d != 0 ? 1 / d : 0;
        scale = to_half(d);
        const auto nearest = [&](float x) {
            return std::clamp(static_cast<int>(x * inverse + 8.5f), 0, 15);
        };
        for (int64_t j = 0; j < q.bytes; ++j) q.set(j, nearest(w[j]), nearest(w[j + q.bytes]));
    }
};

struct BlockQ4_1 {
    uint16_t scale = 0, minimum = 0;
    Nibbles q;

    float weight(int64_t i) const {
        return from_half(scale) * static_cast<float>(q[i]) + from_half(minimum);
    }

    void quantise(const float* w) {
        const auto [low, high] = std::minmax_element(w, w + block_weights);
        const float m = *low, d = (*high - m) / 15, inverse = d > 0 ? 1 / d : 0;
        scale = to_half(d), minimum = to_half(m);
        const auto nearest = [&](float x) {
            return std::clamp(static_cast<int>((x - m) * inverse + 0.5f), 0, 15);
        };
        for (int64_t j = 0; j < q.bytes; ++j) q.set(j, nearest(w[j]), nearest(w[j + q.bytes]));
    }
};

static_assert(sizeof(BlockQ8_0) == 34 && sizeof(BlockQ4_0) == 18 && sizeof(BlockQ4_1) == 20);

// f(a block of the format), for what is compiled for each of them.
template <class F>
auto with_block(BlockFormat format, const F& f) {
    switch (format) {
        case BlockFormat::q4_0:
            return f(BlockQ4_0());
        case BlockFormat::q4_1:
            return f(BlockQ4_1());
        default:
            return f(BlockQ8_0());
    }
}

}  // namespace heed
