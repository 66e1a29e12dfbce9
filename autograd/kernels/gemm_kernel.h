// The innermost pieces of a matrix product. Nearly all of its time is spent in the two loops here.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "autograd/kernels/vec.h"

namespace heed {
inline namespace HEED_REGISTERS {

// A tile of C stays in registers during the whole loop over k. Each step of k loads one row of B's
// panel (`vecs` registers) and for each row of the tile one number of A, spread over all lanes:
// rows * vecs multiply-adds for rows + vecs loads. To keep two multiply-adders with a latency of
// four cycles busy, at least eight sums must be computed at a time, and there may be no more loads
// than multiply-adds.
//
// A wide tile needs fewer loads for its multiply-adds, but a wide panel of B needs more of the caches,
// and C must be a multiple of it: the tile is 6 rows of 64 floats with AVX-512 (32 registers), 6 rows
// of 16 floats with AVX2 (16 registers). That leaves a register for each of the row of B, and one for
// the number of A. A tile of few rows is made wider instead.
inline constexpr int widest_tile = 8;
inline constexpr int full_tile = vec_registers >= 32 ? 4 : 2;
inline constexpr int tile_rows = (vec_registers - full_tile - 1) / full_tile;

constexpr int tile_vecs(int64_t rows) {
    for (int vecs = widest_tile; vecs > full_tile; vecs /= 2)
        if ((rows + 1) * vecs + 1 <= vec_registers) return vecs;
    return full_tile;
}

// What is done with the sums.
enum class Finish { store, add_bias, add_to_c };

// c[i, j] = sum over p < k of a[i * a_row + p * a_step] * b[p * b_step + j], finished.
//
// A convolution (convolution.h) adds up several such sums, one for each of its taps t: the rows of B
// then begin at b + starts[t], and the columns of A go on where those of the tap before ended.
template <class T>
struct Tile {
    int64_t k = 0;
    const T* a = nullptr;
    int64_t a_row = 0, a_step = 0;
    const T* b = nullptr;  // each row has `vecs` full registers
    int64_t b_step = 0;
    int64_t taps = 1;
    const int64_t* starts = nullptr;  // none: 0
    T* c = nullptr;
    int64_t c_row = 0;
    int64_t last = 0;  // how many lanes of each row's last register belong to C
    Finish finish{};
    const T* bias = nullptr;
};

template <class T, int rows, int vecs>
void compute_tile(const Tile<T>& tile) {
    constexpr int lanes = Vec<T>::lanes;
    for (int i = 0; i < rows; ++i)
        for (int v = 0; v < vecs; ++v) __builtin_prefetch(tile.c + i * tile.c_row + v * lanes, 1);

    // The loops over the tile are unrolled, for GCC keeps an array in registers only if every index
    // into it is a constant.
    Vec<T> sum[rows][vecs];
#pragma GCC unroll 16
    for (int i = 0; i < rows; ++i)
#pragma GCC unroll 16
        for (int v = 0; v < vecs; ++v) sum[i][v] = T(0);
    const T* a = tile.a;
    for (int64_t t = 0; t < tile.taps; ++t) {
        const T* b = tile.starts ? tile.b + tile.starts[t] : tile.b;
#pragma GCC unroll 2
        for (int64_t p = 0; p < tile.k; ++p, a += tile.a_step, b += tile.b_step) {
            Vec<T> y[vecs];
            for (int v = 0; v < vecs; ++v) y[v] = Vec<T>::load(b + v * lanes);
#pragma GCC unroll 16
            for (int i = 0; i < rows; ++i) {
                const Vec<T> x = a[i * tile.a_row];
#pragma GCC unroll 16
                for (int v = 0; v < vecs; ++v) sum[i][v] += x * y[v];
            }
        }
    }

    // Each row of the tile is full registers and a last one, which C may end in.
    const auto load = [&](const T* row, int v) {
        return v < vecs - 1 ? Vec<T>::load(row + v * lanes)
                            : Vec<T>::load(row + v * lanes, tile.last);
    };
    if (tile.finish == Finish::add_bias)
#pragma GCC unroll 16
        for (int v = 0; v < vecs; ++v) {
            const Vec<T> bias = load(tile.bias, v);
#pragma GCC unroll 16
            for (int i = 0; i < rows; ++i) sum[i][v] += bias;
        }
    if (tile.finish == Finish::add_to_c)
#pragma GCC unroll 16
        for (int i = 0; i < rows; ++i)
#pragma GCC unroll 16
            for (int v = 0; v < vecs; ++v) sum[i][v] += load(tile.c + i * tile.c_row, v);
#pragma GCC unroll 16
    for (int i = 0; i < rows; ++i) {
        T* row = tile.c + i * tile.c_row;
#pragma GCC unroll 16
        for (int v = 0; v < vecs - 1; ++v) sum[i][v].store(row + v * lanes);
        sum[i][vecs - 1].store(row + (vecs - 1) * lanes, tile.last);
    }
}

// The same with rows and vecs known only at run time.
template <class T>
void compute_tile(int64_t rows, int64_t vecs, const Tile<T>& tile) {
    static constexpr auto table = []<int... i>(std::integer_sequence<int, i...>) {
        return std::array{
            &compute_tile<T, i / widest_tile + 1,
                          std::min(i % widest_tile + 1, tile_vecs(i / widest_tile + 1))>...};
    }
    (std::make_integer_sequence<int, tile_rows * widest_tile>());
    table[(rows - 1) * widest_tile + vecs - 1](tile);
}

// The dot product of two contiguous vectors: four sums at a time, to hide the latency of adding.
template <class T>
T dot_product(int64_t k, const T* x, const T* y) {
    constexpr int lanes = Vec<T>::lanes, sums = 4;
    Vec<T> sum_of[sums];
    for (Vec<T>& each : sum_of) each = T(0);
    int64_t p = 0;
    for (; p + sums * lanes <= k; p += sums * lanes)
        for (int i = 0; i < sums; ++i)
            sum_of[i] += Vec<T>::load(x + p + i * lanes) * Vec<T>::load(y + p + i * lanes);
    for (; p + lanes <= k; p += lanes) sum_of[0] += Vec<T>::load(x + p) * Vec<T>::load(y + p);
    if (p < k) sum_of[1] += Vec<T>::load(x + p, k - p) * Vec<T>::load(y + p, k - p);
    return sum((sum_of[0] + sum_of[1]) + (sum_of[2] + sum_of[3]));
}

// The dot products of x with as many columns as a register has lanes, both contiguous in memory.
// The lanes of the sums run along k here, so at the end each register is added up to one number.
// B is not copied into panels: with few rows of A that would cost more than it saves. `prefetches`
// brings the columns that follow into the cache of level 2 meanwhile.
template <bool prefetches, class T>
Vec<T> dot_products(int64_t k, const T* x, const T* columns, int64_t column_stride) {
    constexpr int lanes = Vec<T>::lanes;
    Vec<T> sum[lanes];
    for (int j = 0; j < lanes; ++j) sum[j] = T(0);
    int64_t p = 0;
    for (; p + lanes <= k; p += lanes) {
        const Vec<T> y = Vec<T>::load(x + p);
        for (int j = 0; j < lanes; ++j) {
            if constexpr (prefetches)
                __builtin_prefetch(columns + (lanes + j) * column_stride + p, 0, 2);
            sum[j] += y * Vec<T>::load(columns + j * column_stride + p);
        }
    }
    if (p < k) {
        const Vec<T> y = Vec<T>::load(x + p, k - p);
        for (int j = 0; j < lanes; ++j)
            sum[j] += y * Vec<T>::load(columns + j * column_stride + p, k - p);
    }
    return sums(sum);
}

}  // namespace HEED_REGISTERS
}  // namespace heed
