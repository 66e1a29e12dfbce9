#include "autograd/kernels/quantised.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <type_traits>
#include <vector>

#include "autograd/base/parallel.h"
#include "autograd/kernels/gemm.h"
#include "autograd/kernels/machine.h"
#include "autograd/kernels/vec.h"

namespace heed {
inline namespace HEED_REGISTERS {
namespace {

using Floats = Vec<float>;
using Whole = Floats::Mask;  // as many int32

constexpr int lanes = Floats::lanes;
constexpr int registers = block_weights / lanes;  // of the weights of one block

// `lanes` bytes, signed or not, as whole numbers of 32 bits. GCC 12 takes __builtin_convertvector() apart
// into single bytes, although the processors have an instruction for it.
#if defined(__AVX512F__)
constexpr __mmask16 all_lanes = 0xffff;  // without a mask, GCC 12 warns of its own header
__m128i bytes_at(const void* p) { return _mm_loadu_si128(static_cast<const __m128i*>(p)); }
Whole widen(const int8_t* p) { return (Whole)_mm512_maskz_cvtepi8_epi32(all_lanes, bytes_at(p)); }
Whole widen(const uint8_t* p) { return (Whole)_mm512_maskz_cvtepu8_epi32(all_lanes, bytes_at(p)); }
#elif defined(__AVX2__)
__m128i bytes_at(const void* p) { return _mm_loadl_epi64(static_cast<const __m128i*>(p)); }
Whole widen(const int8_t* p) { return (Whole)_mm256_cvtepi8_epi32(bytes_at(p)); }
Whole widen(const uint8_t* p) { return (Whole)_mm256_cvtepu8_epi32(bytes_at(p)); }
#else
template <class Byte>
Whole widen(const Byte* p) {
    Whole whole;
    for (int i = 0; i < lanes; ++i) whole[i] = p[i];
    return whole;
}
#endif
Floats to_floats(Whole q) { return __builtin_convertvector(q, Floats::Register); }

// from_half(), which most processors have as an instruction. The scales of a block are half as much work as
// its weights, if they become floats one by one and are then spread over the lanes; so with AVX-512 all lanes
// load the bytes, which is no more work than loading them once, and become floats together.
#if defined(__AVX512F__)
Floats spread(uint16_t half) {
    return _mm512_maskz_cvtph_ps(all_lanes, _mm256_set1_epi16(static_cast<short>(half)));
}
#elif defined(__F16C__)
Floats spread(uint16_t half) { return _cvtsh_ss(half); }
#else
Floats spread(uint16_t half) { return from_half(half); }
#endif

struct ScaleAndMinimum {
    Floats d, m;
};
ScaleAndMinimum spread(const BlockQ4_1& block) {
#if defined(__AVX512F__)
    static_assert(offsetof(BlockQ4_1, minimum) == 2);
    int both;
    std::memcpy(&both, &block, sizeof both);
    const __m512 in_turn =
        _mm512_maskz_cvtph_ps(all_lanes, _mm256_set1_epi32(both));  // d, m, d, m, ...
    return {_mm512_maskz_moveldup_ps(all_lanes, in_turn),
            _mm512_maskz_movehdup_ps(all_lanes, in_turn)};
#else
    return {spread(block.scale), spread(block.minimum)};
#endif
}

// The 32 weights of 4 bits, which are weight_of(q). With AVX-512 the weights of all q, 0 to 15, are one register,
// and one instruction takes a weight from it for each lane, by the lower 4 bits of the lane.
template <class WeightOf>
[[gnu::always_inline]] inline void unpack(const Nibbles& q, Floats* w, const WeightOf& weight_of) {
#if defined(__AVX512F__)
    const Whole every = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    const Floats of_every = weight_of(to_floats(every));
    const Whole both = widen(q.of);
    w[0] = _mm512_maskz_permutexvar_ps(all_lanes, (__m512i)both, of_every.r);
    w[1] = _mm512_maskz_permutexvar_ps(all_lanes, (__m512i)(both >> 4), of_every.r);
#else
#pragma GCC unroll 4
    for (int i = 0; i < registers / 2; ++i) {
        const Whole both = widen(q.of + i * lanes);
        w[i] = weight_of(to_floats(both & 15));
        w[i + registers / 2] = weight_of(to_floats(both >> 4));
    }
#endif
}

// The 32 weights of a block. In each format the lines are those of its weight(i).
[[gnu::always_inline]] inline void unpack(const BlockQ8_0& block, Floats* w) {
    const Floats d = spread(block.scale);
#pragma GCC unroll 8
    for (int i = 0; i < registers; ++i) w[i] = d * to_floats(widen(block.q + i * lanes));
}
[[gnu::always_inline]] inline void unpack(const BlockQ4_0& block, Floats* w) {
    const Floats d = spread(block.scale);
    unpack(block.q, w, [&](Floats q) { return d * (q - 8); });
}
[[gnu::always_inline]] inline void unpack(const BlockQ4_1& block, Floats* w) {
    const auto [d, m] = spread(block);
    unpack(block.q, w, [&, d = d, m = m](Floats q) { return d * q + m; });
}

template <class Block>
void unpack_all(const Block* blocks, int64_t count, float* weights) {
    for (int64_t b = 0; b < count; ++b) {
        Floats w[registers];
        unpack(blocks[b], w);
        for (int i = 0; i < registers; ++i) w[i].store(weights + b * block_weights + i * lanes);
    }
}

// So many products are computed at a time, each in two sums: a sum waits four cycles for the addition
// before, and the others fill them.
constexpr int at_a_time = 4;

// The processor prefetches by itself, but only within a page, and a row of blocks is shorter than one. So each
// block prefetches the one that lies so many times as far ahead as all the rows at a time are long: some
// kilobytes, which come while the rows between are used. They come into the cache of level 2. A prefetch into
// level 1 is one of the few loads that a core can wait for at once, and decoding with 8 bits got half of the
// bandwidth of memory (./heed bench --model FILE write_8_bits prints the share).
constexpr int ahead = 6;

// The products of `tokens` rows of x with `rows` rows of W.
template <class Block, int tokens, int rows>
void some_products(const Block* blocks, int64_t in, int64_t out, const float* x, const float* bias,
                   float* y) {
    const int64_t row = in / block_weights;
    Floats sums_of[rows][tokens][2];
#pragma GCC unroll 4
    for (int r = 0; r < rows; ++r)
#pragma GCC unroll 4
        for (int t = 0; t < tokens; ++t) sums_of[r][t][0] = sums_of[r][t][1] = Floats(0);
    for (int64_t b = 0; b < row; ++b, x += block_weights)
#pragma GCC unroll 4
        for (int r = 0; r < rows; ++r) {
            __builtin_prefetch(blocks + (r + ahead * rows) * row + b, 0, 2);
            Floats w[registers];
            unpack(blocks[r * row + b], w);
#pragma GCC unroll 4
            for (int t = 0; t < tokens; ++t)
#pragma GCC unroll 8
                for (int i = 0; i < registers; ++i)
                    sums_of[r][t][i % 2] += w[i] * Floats::load(x + t * in + i * lanes);
        }
#pragma GCC unroll 4
    for (int r = 0; r < rows; ++r)
#pragma GCC unroll 4
        for (int t = 0; t < tokens; ++t)
            y[t * out + r] = sum(sums_of[r][t][0] + sums_of[r][t][1]) + (bias ? bias[r] : 0);
}

// All rows of W in [begin, end) for `tokens` rows of x, at most `at_a_time`.
template <class Block, int tokens>
void rows_of_products(const Block* blocks, int64_t begin, int64_t end, int64_t in, int64_t out,
                      const float* x, const float* bias, float* y) {
    constexpr int rows = at_a_time / tokens;
    const auto from = [&](int64_t i, auto some) {
        some(blocks + i * (in / block_weights), in, out, x, bias ? bias + i : nullptr, y + i);
    };
    int64_t i = begin;
    for (; i + rows <= end; i += rows) from(i, some_products<Block, tokens, rows>);
    for (; i < end; ++i) from(i, some_products<Block, tokens, 1>);
}

template <class Block>
void few_tokens(const Block* blocks, int64_t tokens, int64_t in, int64_t out, const float* x,
                const float* bias, float* y) {
    const int64_t grain = (parallel_grain / (in * tokens + 1) / at_a_time + 1) * at_a_time;
    parallel_for(out, grain, [&](int64_t begin, int64_t end) {
        for (int64_t t = 0; t < tokens; t += at_a_time) {
            const auto all = [&]<int count>(std::integral_constant<int, count>) {
                rows_of_products<Block, count>(blocks, begin, end, in, out, x + t * in, bias,
                                               y + t * out);
            };
            switch (std::min<int64_t>(tokens - t, at_a_time)) {
                case 1:
                    all(std::integral_constant<int, 1>());
                    break;
                case 2:
                    all(std::integral_constant<int, 2>());
                    break;
                case 3:
                    all(std::integral_constant<int, 3>());
                    break;
                default:
                    all(std::integral_constant<int, 4>());
            }
        }
    });
}

constexpr int64_t few = 8;  // tokens, for which the blocks are read where they lie

}  // namespace
}  // namespace HEED_REGISTERS

void unpack_blocks(BlockFormat format, const unsigned char* blocks, int64_t count, float* weights) {
    with_block(format, [&]<class Block>(Block) {
        unpack_all(reinterpret_cast<const Block*>(blocks), count, weights);
    });
}

void quantised_product(BlockFormat format, const unsigned char* blocks, int64_t tokens, int64_t in,
                       int64_t out, const float* x, const float* bias, float* y) {
    with_block(format, [&]<class Block>(Block) {
        const auto* w = reinterpret_cast<const Block*>(blocks);
        if (tokens <= few) return few_tokens(w, tokens, in, out, x, bias, y);

        const int64_t row = in / block_weights;
        const int64_t at_a_time = std::min(machine().unpacked_rows(in * sizeof(float)), out);
        std::vector<float> tile(at_a_time * in);
        for (int64_t begin = 0; begin < out; begin += at_a_time) {
            const int64_t rows = std::min(at_a_time, out - begin);
            parallel_for(rows, parallel_grain / (in + 1) + 1, [&](int64_t from, int64_t to) {
                unpack_all(w + (begin + from) * row, (to - from) * row, tile.data() + from * in);
            });
            gemm<float>({x, tokens, in, in, 1}, {tile.data(), in, rows, 1, in},
                        {y + begin, tokens, rows, out, 1}, false, bias ? bias + begin : nullptr);
        }
    });
}

}  // namespace heed
