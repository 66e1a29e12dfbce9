// The innermost piece of a matrix product: a tile of C, small enough to stay in registers while
// all of k passes by. Each step of k loads one row of B's panel (`vecs` registers), and for each
// row of the tile one number of A, spread over all lanes: rows * vecs multiply-adds for
// rows + vecs loads.
#pragma once

#include <array>
#include <cstdint>
#include <utility>

#include "autograd/vec.h"

namespace heed {

// The largest tile: two registers wide, and as high as the register file allows when two registers
// hold the row of B and one the number of A. AVX-512 has 32 registers: 14 rows of 32 floats; AVX2
// has 16: 6 rows of 16 floats. Both have more than the eight sums that must be under way at a time
// to keep two multiply-adders with a latency of four cycles busy.
inline constexpr int tile_vecs = 2;
inline constexpr int tile_rows = (vec_registers - tile_vecs - 1) / tile_vecs;

// What the tile's sums begin with.
enum class Start { zero, bias, c };

// One tile: c[i, j] = start + sum over p < k of a[i * a_row + p * a_step] * b[p * b_step + j].
template <class T>
struct Tile {
    int64_t k;
    const T* a;
    int64_t a_row, a_step;
    const T* b;  // `vecs` full registers are read from each row
    int64_t b_step;
    T* c;
    int64_t c_row;
    int64_t last;  // how many lanes of C's last register exist
    Start start;
    const T* bias;
};

template <class T, int rows, int vecs>
void compute(const Tile<T>& tile) {
    constexpr int lanes = Vec<T>::lanes;
    const auto [k, a_start, a_row, a_step, b_start, b_step, c, c_row, last, start, bias] = tile;
    const auto length = [last = last](int v) { return v == vecs - 1 ? last : lanes; };

    Vec<T> sum[rows][vecs];
    for (int i = 0; i < rows; ++i)
        for (int v = 0; v < vecs; ++v)
            sum[i][v] = start == Start::c      ? Vec<T>::load(c + i * c_row + v * lanes, length(v))
                        : start == Start::bias ? Vec<T>::load(bias + v * lanes, length(v))
                                               : Vec<T>(0);

    const T* a = a_start;
    const T* b = b_start;
    for (int64_t p = 0; p < k; ++p, a += a_step, b += b_step) {
        Vec<T> y[vecs];
        for (int v = 0; v < vecs; ++v) y[v] = Vec<T>::load(b + v * lanes);
        for (int i = 0; i < rows; ++i) {
            const Vec<T> x = a[i * a_row];
            for (int v = 0; v < vecs; ++v) sum[i][v] += x * y[v];
        }
    }

    for (int i = 0; i < rows; ++i)
        for (int v = 0; v < vecs; ++v) sum[i][v].store(c + i * c_row + v * lanes, length(v));
}

// compute<T, rows, vecs> for rows and vecs known only at run time.
template <class T>
void compute(int64_t rows, int64_t vecs, const Tile<T>& tile) {
    static constexpr auto table = []<int... i>(std::integer_sequence<int, i...>) {
        return std::array{&compute<T, i / tile_vecs + 1, i % tile_vecs + 1>...};
    }
    (std::make_integer_sequence<int, tile_rows * tile_vecs>());
    table[(rows - 1) * tile_vecs + vecs - 1](tile);
}

}  // namespace heed
