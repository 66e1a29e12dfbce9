// How a product is computed, and why it is fast.
//
// The machine: a core multiplies and adds two registers of 16 floats a cycle (64 floating-point
// operations), but loads only two registers a cycle from its first cache (48 KiB), about one from
// its second (1 or 2 MiB), and far less from beyond. So each number loaded must be used many times:
//
//   * in registers: a tile of C of 6 x 64 floats (gemm_kernel.h) loads 6 numbers and 4 registers for
//     every 24 register multiply-adds;
//   * in the second cache: a slice of k is short enough (machine.h) that a panel of B, one tile wide,
//     takes a quarter of it and stays there while A's rows pass by. It is no shorter, because C is
//     read, added to and written once more for every slice;
//   * in the third cache: a block of A's rows stays there while the panels of B pass by.
//     For each panel all of it is read once, about a byte a cycle;
//   * beyond: a panel of B is copied, in the order it is used, when there are enough rows to use it,
//     or when it cannot be used where it lies: its rows, which are loaded as registers, are not
//     contiguous or not a multiple of a register. Rows of A that are contiguous are used where they
//     lie; others are copied.
//
// A few rows of A against a transposed B are dot products, and are computed as such; so are products of
// a column and a row.
#include "autograd/kernels/gemm.h"

#include <algorithm>
#include <cassert>
#include <vector>

#include "autograd/base/parallel.h"
#include "autograd/kernels/gemm_kernel.h"
#include "autograd/kernels/gemm_layout.h"
#include "autograd/kernels/machine.h"
#include "autograd/kernels/sums.h"

namespace heed {
namespace {

// The most products that are added up without compensation (see multiply_in_pieces).
constexpr int64_t longest_sum = 1 << 14;

// Multiply-adds below which one thread is quicker than two.
constexpr int64_t parallel_work = 3 << 17;
// A thread begins about so many at a time, some 20 microseconds. Threads are seldom equally quick (other
// programs run, two may share a core), and one that has finished takes over chunks of the others.
constexpr int64_t chunk_work = 1 << 20;
// So few rows are not worth dividing, if there are some panels of B to share.
constexpr int64_t few_rows = 256;
// Rows of B that are so short lie close enough together to be used there, if A's rows are shared.
constexpr int64_t few_columns = 256;

int64_t ceil_div(int64_t x, int64_t y) { return (x + y - 1) / y; }
int64_t round_up(int64_t x, int64_t y) { return ceil_div(x, y) * y; }

// The size of the pieces when `size` is cut into the fewest equal ones of at most `limit`.
int64_t even_part(int64_t size, int64_t limit) { return ceil_div(size, ceil_div(size, limit)); }

template <class T>
struct Product {
    Matrix<const T> a, b;
    Matrix<T> c;
    bool accumulate;
    const T* bias;

    int64_t m() const { return c.rows; }
    int64_t n() const { return c.columns; }
    int64_t k() const { return a.columns; }

    bool in_parallel() const { return m() * n() * k() >= parallel_work; }

    // `part` when it is worth starting threads, else all in one piece.
    int64_t grain(int64_t size, int64_t part) const {
        return in_parallel() ? std::max<int64_t>(part, 1) : size;
    }
};

// C (+)= A B for one slice of k, and one block of rows: A is cut into panels of `height` rows, B into
// panels of `width` columns, and C into the tiles where these meet.
//
// The threads share either the panels of B or those of A. What all of them read is copied first, and
// all of them help. What only one thread reads that thread copies, just before it is used, so that it is
// in its own cache. Where the borders between threads lie changes no bit: every number of C is summed
// by one thread in one order.
template <class T>
struct Slice {
    Matrix<const T> a;  // transposed: [depth, rows]
    Matrix<const T> b;  // [depth, columns]
    Matrix<T> c;        // [rows, columns]
    int64_t height, width;
    bool pack_a, pack_b;
    bool in_parallel;
    Finish finish;
    const T* bias;

    // The threads share the panels of B; each reads all of A.
    void share_columns() const {
        const int64_t a_panels = ceil_div(a.columns, height), b_panels = ceil_div(b.columns, width);
        const int64_t a_grain = grain(a_panels, a.rows * height * Vec<T>::lanes);
        const int64_t b_grain = grain(b_panels, a.rows * width * c.rows);
        thread_local GrowingBuffer<T> shared;
        const Panels<T> x = pack_a ? pack(a, height, shared, a_grain) : unpacked(a, height);
        parallel_for(b_panels, b_grain, [&](int64_t j, int64_t end) {
            for (; j < end; ++j) {
                thread_local GrowingBuffer<T> own;
                const Matrix<const T> panel = columns_of(b, j * width, width);
                const Panels<T> y = pack_b ? pack(panel, width, own, 1) : unpacked(panel, width);
                multiply(0, a_panels, x, j, y[0]);
            }
        });
    }

    // The threads share the panels of A, a few at a time, which stay in the second cache; each reads all
    // of B.
    void share_rows() const {
        const int64_t a_panels = ceil_div(a.columns, height), b_panels = ceil_div(b.columns, width);
        const int64_t together = machine().panels_together(a.rows * height * sizeof(T));
        const int64_t parts = round_up(ceil_div(a_panels, together), threads());
        const int64_t b_grain = grain(b_panels, b.rows * width * Vec<T>::lanes);
        thread_local GrowingBuffer<T> shared;
        const Panels<T> y = pack_b ? pack(b, width, shared, b_grain) : unpacked(b, width);
        parallel_for(a_panels, in_parallel ? ceil_div(a_panels, parts) : a_panels,
                     [&](int64_t begin, int64_t end) {
                         thread_local GrowingBuffer<T> own;
                         const Matrix<const T> rows =
                             columns_of(a, begin * height, (end - begin) * height);
                         const Panels<T> x =
                             pack_a ? pack(rows, height, own, end - begin) : unpacked(rows, height);
                         for (int64_t j = 0; j < b_panels; ++j) multiply(begin, end, x, j, y[j]);
                     });
    }

  private:
    // How many of `count` panels make a chunk, when each takes `work` multiply-adds; a number that is
    // copied counts as a register of them. There is at least one chunk for each thread.
    int64_t grain(int64_t count, int64_t work) const {
        if (!in_parallel) return count;
        return std::clamp<int64_t>(chunk_work / work, 1, ceil_div(count, threads()));
    }

    static Matrix<const T> columns_of(Matrix<const T> x, int64_t begin, int64_t count) {
        return block(x, 0, x.rows, begin, std::min(count, x.columns - begin));
    }

    // The tiles where panels [begin, end) of A, which are x, and y, panel j of B, meet.
    void multiply(int64_t begin, int64_t end, const Panels<T>& x, int64_t j,
                  const Panel<T>& y) const {
        const int64_t column = j * width, columns = std::min(width, c.columns - column);
        const int64_t vecs = ceil_div(columns, Vec<T>::lanes);
        Tile<T> tile{.k = a.rows,
                     .a = x.first.data,
                     .a_row = x.first.column,
                     .a_step = x.first.row,
                     .b = y.data,
                     .b_step = y.row,
                     .c = c.data,
                     .c_row = c.row_stride,
                     .last = columns - (vecs - 1) * Vec<T>::lanes,
                     .finish = finish,
                     .bias = bias ? bias + column : nullptr};
        T buffer[vec_registers * Vec<T>::lanes];
        if (c.column_stride != 1) {  // a tile of C goes through a small buffer
            tile.c = buffer;
            tile.c_row = width;
            if (finish == Finish::add_to_c) tile.finish = Finish::store;
        }
        for (int64_t i = begin; i < end; ++i) {
            tile.a = x[i - begin].data;
            const int64_t rows = std::min(height, c.rows - i * height);
            const Matrix<T> to = block(c, i * height, rows, column, columns);
            if (c.column_stride == 1) tile.c = to.data;
            compute_tile(rows, vecs, tile);
            if (c.column_stride != 1) put(buffer, width, to, finish == Finish::add_to_c);
        }
    }
};

// The loops around the tile: slices of k and blocks of rows; within these, in Slice, the panels.
template <class T>
void multiply_by_tiles(const Product<T>& product) {
    constexpr int64_t lanes = Vec<T>::lanes;
    const int64_t m = product.m(), n = product.n(), k = product.k();
    const int64_t height = even_part(m, tile_rows);
    const int64_t width = std::min(tile_vecs(height) * lanes, round_up(n, lanes));
    const int64_t b_panels = ceil_div(n, width);
    const Machine& to = machine();
    const bool pack_a =
        product.a.column_stride != 1 && to.is_worth_a_copy(m * k * sizeof(T)) && n >= 128;
    const bool pack_b =
        product.b.column_stride != 1 || n % lanes != 0 ||
        (!to.stays_in_first(k * n * sizeof(T)) && m >= few_rows && !(pack_a && n <= few_columns));
    const bool reads_all_b = pack_a && !pack_b;  // again and again, where it lies
    const bool uneven = b_panels < 8 && b_panels % threads() != 0;
    const bool by_rows = b_panels == 1 || (uneven && m > few_rows) || reads_all_b;

    // If all of B is read again and again, three quarters of the second cache are for it. The number of
    // threads must not count here: where k is cut changes the order of a sum, and so its last bits.
    const int64_t row_bytes = (reads_all_b ? std::max(width, n / 3) : width) * sizeof(T);
    const int64_t depth = even_part(k, to.slice_depth(row_bytes));
    const int64_t part =
        by_rows ? m : round_up(even_part(m, to.row_block(depth * sizeof(T))), height);
    for (int64_t p = 0; p < k; p += depth)
        for (int64_t row = 0; row < m; row += part) {
            const int64_t step = std::min(depth, k - p), rows = std::min(part, m - row);
            const Slice<T> slice{.a = transposed(block(product.a, row, rows, p, step)),
                                 .b = block(product.b, p, step, 0, n),
                                 .c = block(product.c, row, rows, 0, n),
                                 .height = height,
                                 .width = width,
                                 .pack_a = pack_a,
                                 .pack_b = pack_b,
                                 .in_parallel = product.in_parallel(),
                                 .finish = p > 0 || product.accumulate ? Finish::add_to_c
                                           : product.bias              ? Finish::add_bias
                                                                       : Finish::store,
                                 .bias = product.bias};
            by_rows ? slice.share_rows() : slice.share_columns();
        }
}

// Each row of A with as many columns of B at a time as a register has lanes. The last group of columns
// begins early enough to be full: what it computes twice it writes once. If there are fewer columns than
// lanes, with one at a time.
template <class T>
void multiply_by_dots(const Product<T>& product) {
    constexpr int64_t lanes = Vec<T>::lanes;
    const Matrix<const T> a = product.a, b = product.b;
    const Matrix<T> c = product.c;
    if (c.columns < lanes) {
        parallel_for(c.rows, product.grain(c.rows, c.rows / 8), [&](int64_t i, int64_t end) {
            for (; i < end; ++i)
                for (int64_t j = 0; j < c.columns; ++j) {
                    T& to = c.data[i * c.row_stride + j * c.column_stride];
                    to = (product.accumulate ? to : T(0)) +
                         (product.bias ? product.bias[j] : T(0)) +
                         dot_product(a.columns, a.data + i * a.row_stride,
                                     b.data + j * b.column_stride);
                }
        });
        return;
    }
    // A matrix that is larger than the second cache is prefetched into it: ./heed bench decoding_large is
    // faster by a tenth. A smaller one would only lose time.
    const bool prefetches = machine().comes_from_afar(b.rows * b.columns * sizeof(T));
    const int64_t groups = ceil_div(c.columns, lanes);
    parallel_for(groups, product.grain(groups, groups / 8), [&](int64_t group, int64_t end) {
        for (; group < end; ++group) {
            const int64_t first = group * lanes, from = std::min(first, c.columns - lanes);
            for (int64_t i = 0; i < c.rows; ++i) {
                const T *row = a.data + i * a.row_stride,
                        *columns = b.data + from * b.column_stride;
                T dots[lanes];
                (prefetches ? dot_products<true>(a.columns, row, columns, b.column_stride)
                            : dot_products<false>(a.columns, row, columns, b.column_stride))
                    .store(dots);
                for (int64_t j = first; j < from + lanes; ++j) {
                    T& to = c.data[i * c.row_stride + j * c.column_stride];
                    to = (product.accumulate ? to : T(0)) +
                         (product.bias ? product.bias[j] : T(0)) + dots[j - from];
                }
            }
        }
    });
}

// The price of both ways, in multiply-adds on registers. Copying a number of B costs about one of
// them, writing one of a transposed C four. The dot products load one register for each
// multiply-add, which takes twice as long, and adding up their lanes costs four more; sixteen where it is
// done for one column at a time.
template <class T>
int64_t price_of_tiles(const Product<T>& p) {
    constexpr int64_t lanes = Vec<T>::lanes;
    const int64_t n = round_up(p.n(), lanes);
    return p.m() * p.k() * n / lanes + (p.b.column_stride == 1 ? 0 : p.k() * n) +
           (p.c.column_stride == 1 ? 0 : 4 * p.m() * n);
}

template <class T>
int64_t price_of_dots(const Product<T>& p) {
    constexpr int64_t lanes = Vec<T>::lanes;
    if (p.a.column_stride != 1 || p.b.row_stride != 1) return INT64_MAX;
    if (p.n() < lanes) return p.m() * p.n() * (2 * ceil_div(p.k(), lanes) + 16);
    return p.m() * round_up(p.n(), lanes) * (2 * ceil_div(p.k(), lanes) + 4);
}

// The stride of an axis of size 1 does not matter; it is made 1, the best to have.
template <class T>
Matrix<T> plain(Matrix<T> x) {
    if (x.rows == 1) x.row_stride = 1;
    if (x.columns == 1) x.column_stride = 1;
    return x;
}

// C = bias, or C += bias; null counts as zeros.
template <class T>
void begin(Matrix<T> c, bool accumulate, const T* bias) {
    for (int64_t i = 0; i < c.rows; ++i)
        for (int64_t j = 0; j < c.columns; ++j) {
            T& to = c.data[i * c.row_stride + j * c.column_stride];
            to = (accumulate ? to : T(0)) + (bias ? bias[j] : T(0));
        }
}

// k = 1: every number of C is one product.
template <class T>
void multiply_vectors(Matrix<const T> a, Matrix<const T> b, Matrix<T> c, bool accumulate) {
    constexpr int64_t lanes = Vec<T>::lanes;
    const int64_t n = c.columns;
    for (int64_t i = 0; i < c.rows; ++i) {
        const Vec<T> x = a.data[i * a.row_stride];
        T* row = c.data + i * c.row_stride;
        int64_t j = 0;
        for (; j + lanes <= n; j += lanes) {
            const Vec<T> before = accumulate ? Vec<T>::load(row + j) : Vec<T>(T(0));
            (before + x * Vec<T>::load(b.data + j)).store(row + j);
        }
        if (j == n) continue;
        const Vec<T> before = accumulate ? Vec<T>::load(row + j, n - j) : Vec<T>(T(0));
        (before + x * Vec<T>::load(b.data + j, n - j)).store(row + j, n - j);
    }
}

// The gradient of a weight is a sum over all rows of a batch. Over a million rows of 0.1, float32
// was off by 1.5e-4, so a product with a long k is computed in pieces, and these are added with
// compensation (sums.h).
template <class T>
void multiply_in_pieces(Matrix<const T> a, Matrix<const T> b, Matrix<T> c, bool accumulate,
                        const T* bias) {
    const int64_t k = a.columns, depth = even_part(k, longest_sum);
    std::vector<T> piece(c.rows * c.columns);
    std::vector<Compensated<T>> total(piece.size());
    for (int64_t p = 0; p < k; p += depth) {
        const int64_t step = std::min(depth, k - p);
        gemm(block(a, 0, a.rows, p, step), block(b, p, step, 0, b.columns),
             Matrix<T>{piece.data(), c.rows, c.columns, c.columns, 1});
        for (std::size_t i = 0; i < piece.size(); ++i) total[i].add(piece[i]);
    }
    begin(c, accumulate, bias);
    for (int64_t i = 0; i < c.rows; ++i)
        for (int64_t j = 0; j < c.columns; ++j)
            c.data[i * c.row_stride + j * c.column_stride] += total[i * c.columns + j].value();
}

}  // namespace

template <class T>
void gemm(Matrix<const T> a, Matrix<const T> b, Matrix<T> c, bool accumulate, const T* bias) {
    assert(a.rows == c.rows && b.columns == c.columns && a.columns == b.rows);
    if (c.rows == 0 || c.columns == 0) return;
    if (a.columns == 0) return begin(c, accumulate, bias);
    if (a.columns > longest_sum) return multiply_in_pieces(a, b, c, accumulate, bias);
    a = plain(a), b = plain(b), c = plain(c);
    if (a.columns == 1 && !bias && b.column_stride == 1 && c.column_stride == 1 &&
        c.rows * c.columns < parallel_work)
        return multiply_vectors(a, b, c, accumulate);

    // C = A B is also Cᵀ = Bᵀ Aᵀ. Of the two, and of the two ways to compute them, take the
    // cheapest.
    Product<T> product{a, b, c, accumulate, bias};
    Product<T> turned{transposed(b), transposed(a), transposed(c), accumulate, nullptr};
    const int64_t tiles = price_of_tiles(product), dots = price_of_dots(product);
    const int64_t turned_tiles = price_of_tiles(turned), turned_dots = price_of_dots(turned);
    const bool turn = std::min(turned_tiles, turned_dots) < std::min(tiles, dots);
    if (bias && (turn || accumulate)) {
        begin(c, accumulate, bias);
        product.bias = nullptr;
        product.accumulate = turned.accumulate = true;
    }
    if (turn)
        return turned_dots <= turned_tiles ? multiply_by_dots(turned) : multiply_by_tiles(turned);
    return dots <= tiles ? multiply_by_dots(product) : multiply_by_tiles(product);
}

template <class T>
void gemm_batched(int64_t count, Matrix<const T> a, int64_t a_step, Matrix<const T> b,
                  int64_t b_step, Matrix<T> c, int64_t c_step, bool accumulate) {
    // Many products: each by one thread. One at a time where they are few and large, or have one C.
    const int64_t work = c.rows * c.columns * a.columns;
    const bool in_turn =
        c_step == 0 || work * count < parallel_work || (count < 8 && work > 4 * parallel_work);
    parallel_for(count, in_turn ? count : ceil_div(count, 16), [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) {
            Matrix<const T> ai = a, bi = b;
            Matrix<T> ci = c;
            ai.data += i * a_step;
            bi.data += i * b_step;
            ci.data += i * c_step;
            gemm(ai, bi, ci, accumulate);
        }
    });
}

template void gemm(Matrix<const float>, Matrix<const float>, Matrix<float>, bool, const float*);
template void gemm(Matrix<const double>, Matrix<const double>, Matrix<double>, bool, const double*);
template void gemm_batched(int64_t, Matrix<const float>, int64_t, Matrix<const float>, int64_t,
                           Matrix<float>, int64_t, bool);
template void gemm_batched(int64_t, Matrix<const double>, int64_t, Matrix<const double>, int64_t,
                           Matrix<double>, int64_t, bool);

}  // namespace heed
