#include "autograd/gemm.h"

#include <algorithm>
#include <cassert>
#include <new>

#include "autograd/gemm_kernel.h"
#include "autograd/parallel.h"

namespace heed {
namespace {

int64_t ceil_div(int64_t x, int64_t y) { return (x + y - 1) / y; }

// The size of the pieces when `size` is cut into the fewest equal ones of at most `limit`.
int64_t even_part(int64_t size, int64_t limit) { return ceil_div(size, ceil_div(size, limit)); }

constexpr int64_t k_block = 384;
constexpr int64_t row_block = 168;
constexpr int64_t column_block = 1024;

// Memory for packed panels, kept for the next product. One per thread and operand.
template <class T>
class Buffer {
  public:
    T* reserve(int64_t size) {
        if (size > capacity) {
            ::operator delete[](data, std::align_val_t(64));
            data = new (std::align_val_t(64)) T[capacity = size];
        }
        return data;
    }
    ~Buffer() { ::operator delete[](data, std::align_val_t(64)); }

  private:
    T* data = nullptr;
    int64_t capacity = 0;
};

// One operand of the tiles, cut into panels: the number at step p of k and place i of panel j is
// data[j * panel + p * step + i * place].
template <class T>
struct Panels {
    const T* data;
    int64_t panel, step, place;
};

// Copies x [k, n] into panels of `width` columns, each stored row after row; the last is filled up
// with zeros.
template <class T>
Panels<T> pack(Matrix<const T> x, int64_t width, T* out) {
    for (int64_t j = 0; j < x.columns; j += width) {
        const int64_t filled = std::min(width, x.columns - j);
        T* panel = out + j * x.rows;
        for (int64_t p = 0; p < x.rows; ++p)
            for (int64_t i = 0; i < width; ++i)
                panel[p * width + i] =
                    i < filled ? x.data[p * x.row_stride + (j + i) * x.column_stride] : T(0);
    }
    return {out, width * x.rows, width, 1};
}

template <class T>
Matrix<T> block(Matrix<T> x, int64_t row, int64_t rows, int64_t column, int64_t columns) {
    return {x.data + row * x.row_stride + column * x.column_stride, rows, columns, x.row_stride,
            x.column_stride};
}

template <class T>
void empty_product(Matrix<T> c, bool accumulate, const T* bias) {
    for (int64_t i = 0; i < c.rows; ++i)
        for (int64_t j = 0; j < c.columns; ++j) {
            T& element = c.data[i * c.row_stride + j * c.column_stride];
            element = (accumulate ? element : T(0)) + (bias ? bias[j] : T(0));
        }
}

}  // namespace

template <class T>
void gemm(Matrix<const T> a, Matrix<const T> b, Matrix<T> c, bool accumulate, const T* bias) {
    assert(a.rows == c.rows && b.columns == c.columns && a.columns == b.rows);
    constexpr int64_t lanes = Vec<T>::lanes;
    constexpr int64_t tile_columns = tile_vecs * lanes;
    const int64_t m = c.rows, n = c.columns, k = a.columns;
    if (m == 0 || n == 0) return;
    if (k == 0 || (accumulate && bias)) empty_product(c, accumulate, bias);
    if (k == 0) return;
    if (accumulate) bias = nullptr;
    if (c.column_stride != 1 && c.row_stride == 1 && !bias)
        return gemm(transposed(b), transposed(a), transposed(c), accumulate);

    const int64_t kb = even_part(k, k_block), mb = even_part(m, row_block);
    const int64_t nb = std::min(n, column_block);
    thread_local Buffer<T> b_buffer;
    for (int64_t jc = 0; jc < n; jc += nb) {
        for (int64_t pc = 0; pc < k; pc += kb) {
            const int64_t depth = std::min(kb, k - pc), width = std::min(nb, n - jc);
            const Start start = pc > 0 || accumulate ? Start::c : bias ? Start::bias : Start::zero;
            const bool pack_b = b.column_stride != 1 || m > 128 || width % lanes != 0;
            Panels<T> bp{b.data + pc * b.row_stride + jc, tile_columns, b.row_stride, 1};
            if (pack_b)
                bp = pack(block(b, pc, depth, jc, width), tile_columns,
                          b_buffer.reserve(ceil_div(width, tile_columns) * tile_columns * depth));

            const bool threaded = m * n * k > 500000;
            parallel_for(m, threaded ? mb : m, [&](int64_t ic, int64_t end) {
                thread_local Buffer<T> a_buffer;
                const int64_t high = end - ic, tile_high = even_part(high, tile_rows);
                Panels<T> ap{a.data + ic * a.row_stride + pc * a.column_stride,
                             tile_high * a.row_stride, a.column_stride, a.row_stride};
                if (m > 128)
                    ap = pack(transposed(block(a, ic, high, pc, depth)), tile_high,
                              a_buffer.reserve((high + tile_rows) * depth));
                for (int64_t jr = 0; jr < width; jr += tile_columns) {
                    for (int64_t ir = 0; ir < high; ir += tile_high) {
                        const int64_t rows = std::min(tile_high, high - ir);
                        const int64_t columns = std::min(tile_columns, width - jr);
                        const int64_t vecs = ceil_div(columns, lanes);
                        T* to = c.data + (ic + ir) * c.row_stride + (jc + jr) * c.column_stride;
                        Tile<T> tile{depth,
                                     ap.data + ir / tile_high * ap.panel,
                                     ap.place,
                                     ap.step,
                                     bp.data + jr / tile_columns * bp.panel,
                                     bp.step,
                                     to,
                                     c.row_stride,
                                     columns - (vecs - 1) * lanes,
                                     start,
                                     bias ? bias + jc + jr : nullptr};
                        if (c.column_stride == 1) {
                            compute(rows, vecs, tile);
                            continue;
                        }
                        // C is neither row- nor column-major: the tile goes through a buffer.
                        T buffer[tile_rows * tile_columns];
                        tile.c = buffer;
                        tile.c_row = tile_columns;
                        if (start == Start::c)
                            for (int64_t i = 0; i < rows; ++i)
                                for (int64_t j = 0; j < columns; ++j)
                                    buffer[i * tile_columns + j] =
                                        to[i * c.row_stride + j * c.column_stride];
                        compute(rows, vecs, tile);
                        for (int64_t i = 0; i < rows; ++i)
                            for (int64_t j = 0; j < columns; ++j)
                                to[i * c.row_stride + j * c.column_stride] =
                                    buffer[i * tile_columns + j];
                    }  // ir: tiles of C, one panel of A after another
                }      // jr: one panel of B after another
            });        // ic: blocks of rows, shared among the threads
        }              // pc: slices of k
    }                  // jc: blocks of columns
}

template <class T>
void gemm_batched(int64_t count, Matrix<const T> a, int64_t a_step, Matrix<const T> b,
                  int64_t b_step, Matrix<T> c, int64_t c_step, bool accumulate) {
    for (int64_t i = 0; i < count; ++i) {
        gemm(a, b, c, accumulate);
        a.data += a_step;
        b.data += b_step;
        c.data += c_step;
    }
}

template void gemm(Matrix<const float>, Matrix<const float>, Matrix<float>, bool, const float*);
template void gemm(Matrix<const double>, Matrix<const double>, Matrix<double>, bool, const double*);
template void gemm_batched(int64_t, Matrix<const float>, int64_t, Matrix<const float>, int64_t,
                           Matrix<float>, int64_t, bool);
template void gemm_batched(int64_t, Matrix<const double>, int64_t, Matrix<const double>, int64_t,
                           Matrix<double>, int64_t, bool);

}  // namespace heed
