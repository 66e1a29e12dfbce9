// What the tiled kernels of attention, forward and backward, have in common.
//
// A tile is the meeting of 64 queries and 256 keys. Its scores, 64 KiB of floats, stay in the
// second cache (1 MiB) between the product that makes them and the one that uses them; the exp of
// each costs about as much as half a product of width 64. The memory of a whole pass is linear in
// the lengths.
//
// Work is shared out as (head, part): where there are few heads, the queries (forward) or the keys
// (backward) of each are dealt out to a few parts, tile by tile in turn, so that causal attention,
// whose later queries have more to do, is shared evenly too. How many parts depends on the sizes
// alone, and all sums are made in one order: the bits are the same with any number of threads.
#pragma once

#include <limits>
#include <optional>

#include "attention/fused/tiled_attention.h"
#include "autograd/base/parallel.h"
#include "autograd/kernels/gemm.h"
#include "autograd/kernels/gemm_layout.h"
#include "autograd/ops/rows.h"
#include "autograd/ops/shape_ops.h"

namespace heed::tiles {

inline constexpr int64_t query_tile = 64, key_tile = 256;
inline constexpr int64_t enough_work = 8;  // pieces of work, to keep all threads busy to the end
inline constexpr double infinity = std::numeric_limits<double>::infinity();

inline int64_t tiles_in(int64_t size, int64_t tile) { return (size + tile - 1) / tile; }

// The rows [T, D] of one head. x is [B, H, T, D] in any strides but the last, which is 1.
template <class T>
Matrix<const T> rows_of(const Tensor& x, int64_t head) {
    const int64_t heads = x.size(1);
    const Strides& stride = x.strides();
    return {x.data<T>() + head / heads * stride[0] + head % heads * stride[1], x.size(2), x.size(3),
            stride[2], 1};
}
// The same rows of other numbers in the layout of x.
template <class T>
Matrix<T> rows_to(T* data, const Tensor& x, int64_t head) {
    const Matrix<const T> rows = rows_of<T>(x, head);
    return {data + (rows.data - x.data<T>()), rows.rows, rows.columns, rows.row_stride, 1};
}
template <class T>
Matrix<T> some_rows(Matrix<T> x, int64_t first, int64_t count) {
    return block(x, first, count, 0, x.columns);
}

// [B, H, T, D] whose heads lie side by side in memory: a view of [B, T, H, D].
inline Tensor with_heads_inside(const Shape& s, Dtype dtype, bool zero) {
    const Shape inside{s[0], s[2], s[1], s[3]};
    return transpose(zero ? zeros(inside, dtype) : empty(inside, dtype), 1, 2);
}

// What stands between raw scores and softmax: the bias is added, and what is not allowed becomes
// -∞.
template <class T>
class ScoreRules {
  public:
    ScoreRules(const Shape& scores, const ScaledDotProductOptions& options)
        : causal(options.causal), first_position(scores[3] - scores[2]) {
        if (options.bias.defined()) bias_.emplace(contiguous_rows(detach(options.bias)), scores);
        if (options.mask.defined()) mask_.emplace(contiguous_rows(detach(options.mask)), scores);
    }

    // How many keys query i may attend to at most: those up to its own place.
    int64_t last_key(int64_t i, int64_t keys) const { return causal ? first_position + i + 1 : keys; }

    // The scores of one query (row `row` of [B H Q], number i of its head) with `count` keys.
    void apply(T* s, int64_t row, int64_t i, int64_t first_key, int64_t count) const {
        if (bias_) {
            const T* b = (*bias_)[row] + first_key * bias_->step();
            each_register<T>(count, [&](int64_t j, auto n) {
                put(take(s + j, n) + spread(b, bias_->step(), j, n), s + j, n);
            });
        }
        if (mask_) {
            const T* m = (*mask_)[row] + first_key * mask_->step();
            each_register<T>(count, [&](int64_t j, auto n) {
                const Vec<T> open = spread(m, mask_->step(), j, n);
                put(where(open != Vec<T>(0.0), take(s + j, n), Vec<T>(-infinity)), s + j, n);
            });
        }
        for (int64_t j = std::max<int64_t>(last_key(i, first_key + count) - first_key, 0);
             j < count; ++j)
            s[j] = -infinity;
    }

  private:
    static Vec<T> spread(const T* p, int64_t step, int64_t j, auto n) {
        return step == 0 ? Vec<T>(*p) : take(p + j, n);
    }

    bool causal;
    int64_t first_position;  // of the queries among the keys
    std::optional<Rows<T>> bias_, mask_;
};

// A tile of keys (or values), transposed once for the many queries that meet it.
template <class T>
Matrix<const T> transposed_tile(Matrix<const T> x, int64_t queries, Buffer<T>& buffer) {
    if (queries < query_tile / 4) return transposed(x);
    const int64_t width = tiles_in(x.rows, Vec<T>::lanes) * Vec<T>::lanes;  // filled up with zeros
    T* to = buffer.reserve(width * x.columns);
    transpose_into<false>(to, width, width, x.data, x.row_stride, x.rows, x.columns);
    return {to, x.columns, width, width, 1};
}

// scale q, so that its products with keys are the scaled scores.
template <class T>
Matrix<const T> scaled(Matrix<const T> q, double scale, Buffer<T>& buffer) {
    T* to = buffer.reserve(q.rows * q.columns);
    for (int64_t i = 0; i < q.rows; ++i)
        each_register<T>(q.columns, [&](int64_t j, auto n) {
            put(take(q.data + i * q.row_stride + j, n) * Vec<T>(scale), to + i * q.columns + j, n);
        });
    return {to, q.rows, q.columns, q.columns, 1};
}

// The products of queries with the first `count` keys of a tile. What is filled up comes along.
template <class T>
void products(Matrix<const T> queries, Matrix<const T> tile, int64_t count, T* out) {
    tile.columns = std::min(tile.columns, tiles_in(count, Vec<T>::lanes) * Vec<T>::lanes);
    gemm(queries, tile, Matrix<T>{out, queries.rows, tile.columns, key_tile, 1});
}

// The memory of one thread, kept for the next call.
template <class T>
struct Workspace {
    Buffer<T> queries, keys, values, weights, gradients, numbers;
};
template <class T>
Workspace<T>& workspace() {
    thread_local Workspace<T> space;
    return space;
}

// How many parts the work of a head is dealt out to.
inline int64_t parts_for(int64_t heads, int64_t tiles) {
    return std::clamp<int64_t>(enough_work / std::max<int64_t>(heads, 1), 1,
                               std::max<int64_t>(tiles, 1));
}

// work(head, part) for all of both. Below so many multiply-adds one thread is quicker than two.
inline constexpr int64_t parallel_work = 1 << 18;

template <class Work>
void share_out(int64_t heads, int64_t parts, int64_t multiply_adds, const Work& work) {
    const int64_t pieces = heads * parts;
    parallel_for(pieces, multiply_adds < parallel_work ? pieces : 1,
                 [&](int64_t begin, int64_t end) {
                     for (int64_t i = begin; i < end; ++i) work(i / parts, i % parts);
                 });
}

}  // namespace heed::tiles
