// Copies of matrices for a product: into panels, which its innermost loop reads in the order of memory,
// and out of a transposed tile.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "autograd/base/growing_buffer.h"
#include "autograd/base/parallel.h"
#include "autograd/kernels/gemm.h"
#include "autograd/kernels/gemm_kernel.h"
#include "autograd/kernels/vec.h"

namespace heed {
inline namespace HEED_REGISTERS {

// Rows [row, row + rows) and columns [column, column + columns) of x.
template <class T>
Matrix<T> block(Matrix<T> x, int64_t row, int64_t rows, int64_t column, int64_t columns) {
    return {x.data + row * x.row_stride + column * x.column_stride, rows, columns, x.row_stride,
            x.column_stride};
}

// Some columns of a matrix: the number in row p and column i is data[p * row + i * column].
template <class T>
struct Panel {
    const T* data = nullptr;
    int64_t row = 0, column = 0;
};

// A matrix [k, n] divided into panels, which begin `step` numbers apart.
template <class T>
struct Panels {
    Panel<T> first;
    int64_t step = 0;

    Panel<T> operator[](int64_t j) const {
        return {first.data + j * step, first.row, first.column};
    }
};

// The panels of a matrix that is not copied.
template <class T>
Panels<T> unpacked(Matrix<const T> x, int64_t width) {
    return {{x.data, x.row_stride, x.column_stride}, width * x.column_stride};
}

// One square of registers for transpose_into(): `high` rows and `wide` columns of `from`; rows of `to`
// have `filled` numbers. Of a whole square all three are the lanes of a register, and nothing is counted.
template <bool add, bool whole, class T>
void transpose_square(T* to, int64_t to_row, const T* from, int64_t from_row, int64_t high,
                      int64_t wide, int64_t filled) {
    constexpr int lanes = Vec<T>::lanes;
    Vec<T> x[lanes];
#pragma GCC unroll 16
    for (int i = 0; i < lanes; ++i) {
        if constexpr (whole)
            x[i] = Vec<T>::load(from + i * from_row);
        else
            x[i] = i < high ? Vec<T>::load(from + i * from_row, wide) : Vec<T>(0);
    }
    transpose(x);
#pragma GCC unroll 16
    for (int j = 0; j < lanes; ++j) {
        if (!whole && j >= wide) break;
        T* row = to + j * to_row;
        if constexpr (whole) {
            if (add) x[j] += Vec<T>::load(row);
            x[j].store(row);
        } else {
            if (add) x[j] += Vec<T>::load(row, filled);
            x[j].store(row, filled);
        }
    }
}

// to[j, i] = from[i, j], or += with `add`. Both are row-major, with rows from_row and to_row numbers
// apart; `from` is [rows, columns], and each row of `to` is filled up with zeros to `width`
// numbers. A square of registers is transposed at a time.
template <bool add, class T>
void transpose_into(T* to, int64_t to_row, int64_t width, const T* from, int64_t from_row,
                    int64_t rows, int64_t columns) {
    constexpr int64_t lanes = Vec<T>::lanes;
    for (int64_t top = 0; top < width; top += lanes) {
        const int64_t high = std::clamp<int64_t>(rows - top, 0, lanes);
        const int64_t filled = std::min(lanes, width - top);
        for (int64_t left = 0; left < columns; left += lanes) {
            const int64_t wide = std::min(lanes, columns - left);
            T* square = to + left * to_row + top;
            const T* source = from + top * from_row + left;
            if (high == lanes && filled == lanes && wide == lanes)
                transpose_square<add, true>(square, to_row, source, from_row, high, wide, filled);
            else
                transpose_square<add, false>(square, to_row, source, from_row, high, wide, filled);
        }
    }
}

// `count` numbers that lie `step` apart to `out`, filled up with zeros to `width`.
template <class T>
void copy_filled(const T* from, int64_t step, int64_t count, int64_t width, T* out) {
    constexpr int64_t lanes = Vec<T>::lanes;
    int64_t i = 0;
    if (step == 1) {
        for (; i + lanes <= count; i += lanes) Vec<T>::load(from + i).store(out + i);
        if (i < count) Vec<T>::load(from + i, count - i).store(out + i, count - i);
        i = count;
    }
    for (; i < count; ++i) out[i] = from[i * step];
    for (; i < width; ++i) out[i] = 0;
}

// Asks for columns [begin, end) of rows [row, last) of x, which are contiguous and will soon be copied. A
// processor reads ahead by itself only after it has read some cache lines of a row, and a row is short.
template <class T>
void fetch_rows(Matrix<const T> x, int64_t row, int64_t last, int64_t begin, int64_t end) {
    for (; row < last; ++row)
        for (int64_t j = begin; j < end; j += 64 / sizeof(T))
            __builtin_prefetch(x.data + row * x.row_stride + j);
}

// Copies panels [begin, end) of x [k, n] to their places in `out`: panel j is the columns [j * width,
// (j + 1) * width), row after row, the last one filled up with zeros. A few rows are copied at a time,
// to all of these panels: of a row that is contiguous, one cache line has numbers of several panels.
template <class T>
void pack_panels(Matrix<const T> x, int64_t begin, int64_t end, int64_t width, T* out) {
    constexpr int64_t rows_together = 8;
    const bool contiguous = x.column_stride == 1, transposes = !contiguous && x.row_stride == 1;
    const int64_t step = transposes ? x.rows : rows_together;
    for (int64_t row = 0; row < x.rows; row += step) {
        const int64_t rows = std::min(step, x.rows - row);
        if (contiguous)
            fetch_rows(x, row + rows, std::min(row + rows + step, x.rows), begin * width,
                       std::min(end * width, x.columns));
        for (int64_t j = begin; j < end; ++j) {
            const int64_t filled = std::min(width, x.columns - j * width);
            const T* from = x.data + row * x.row_stride + j * width * x.column_stride;
            T* to = out + (j * x.rows + row) * width;
            if (transposes)
                transpose_into<false>(to, width, width, from, x.column_stride, filled, x.rows);
            else if (contiguous && filled == tile_rows && width == tile_rows)  // a panel of A
                for (int64_t p = 0; p < rows; ++p)
                    std::memcpy(to + p * tile_rows, from + p * x.row_stride, tile_rows * sizeof(T));
            else
                for (int64_t p = 0; p < rows; ++p)
                    copy_filled(from + p * x.row_stride, x.column_stride, filled, width,
                                to + p * width);
        }
    }
}

// All panels of x, dense, `grain` of them at a time by one thread.
template <class T>
Panels<T> pack(Matrix<const T> x, int64_t width, GrowingBuffer<T>& buffer, int64_t grain) {
    const int64_t panels = (x.columns + width - 1) / width;
    T* out = buffer.reserve(panels * width * x.rows);
    parallel_for(panels, grain,
                 [&](int64_t begin, int64_t end) { pack_panels(x, begin, end, width, out); });
    return {{out, width, 1}, width * x.rows};
}

// C = the tile in `buffer`, or += with `add`; the tile's rows are `step` apart.
template <class T>
void put(const T* buffer, int64_t step, Matrix<T> c, bool add) {
    if (c.row_stride == 1)
        return (add ? transpose_into<true, T> : transpose_into<false, T>)(c.data, c.column_stride,
                                                                          c.rows, buffer, step,
                                                                          c.rows, c.columns);
    for (int64_t i = 0; i < c.rows; ++i)
        for (int64_t j = 0; j < c.columns; ++j) {
            T& to = c.data[i * c.row_stride + j * c.column_stride];
            to = (add ? to : T(0)) + buffer[i * step + j];
        }
}

}  // namespace HEED_REGISTERS
}  // namespace heed
