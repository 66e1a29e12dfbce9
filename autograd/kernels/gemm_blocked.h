// The product in blocks: a step between the three loops of gemm_definition() and gemm.cpp. The same
// multiplications, in an order in which each number that is loaded is used many times before it leaves
// the registers or a cache (Goto and van de Geijn, "Anatomy of high-performance matrix multiplication",
// 2008, section 4).
#pragma once

#include <algorithm>

#include "autograd/kernels/gemm.h"

namespace heed {

// C = A B, on one thread and without copies. gemm.cpp adds copies in the order of use, tiles written for
// the registers, threads, and sums that keep their digits.
template <class T>
void gemm_blocked(Matrix<const T> a, Matrix<const T> b, Matrix<T> c) {
    constexpr int64_t depth = 256, rows = 96;    // of A: a block that stays in the second cache
    constexpr int64_t tile_rows = 4, tile = 32;  // of C: a tile that stays in the registers
    for (int64_t i = 0; i < c.rows; ++i)
        for (int64_t j = 0; j < c.columns; ++j) c(i, j) = 0;

    for (int64_t p0 = 0; p0 < a.columns; p0 += depth)  // a slice of the sums,
        for (int64_t i0 = 0; i0 < c.rows; i0 += rows)  // a block of rows of A,
            for (int64_t j = 0; j < c.columns;
                 j += tile)  // a panel of B, which the block uses whole,
                for (int64_t i = i0; i < std::min(i0 + rows, c.rows); i += tile_rows) {
                    // a tile of C: for each p, tile_rows numbers of A times `tile` numbers of B
                    T sum[tile_rows][tile] = {};
                    const int64_t p1 = std::min(p0 + depth, a.columns);
                    const int64_t h = std::min(tile_rows, c.rows - i),
                                  w = std::min(tile, c.columns - j);
                    for (int64_t p = p0; p < p1; ++p)
                        for (int64_t y = 0; y < h; ++y)
                            for (int64_t x = 0; x < w; ++x) sum[y][x] += a(i + y, p) * b(p, j + x);
                    for (int64_t y = 0; y < h; ++y)
                        for (int64_t x = 0; x < w; ++x) c(i + y, j + x) += sum[y][x];
                }
}

}  // namespace heed
