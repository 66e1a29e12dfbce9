// What the tiled kernels of attention, forward and backward, have in common.
//
// A tile is 64 queries by at most 256 keys, fewer where the second cache is small (kernels/machine.h): there
// its scores, 64 KiB of floats, stay between the product that computes them and the one that uses them. The
// storage that a whole pass needs is linear in the lengths.
//
// Where the time goes, forward and backward, 2,048 causal queries and keys of width 64 on an Intel Xeon
// with AVX-512 (perf record of `./heed bench attention_2048`): 78 % in the tiles of the seven
// products, 8 % in exponentials, 3 % in the search for the largest score and multiplying by it, 2 % in
// transposing keys and values, the rest in masks, scaling and sums. The bench prints 58 % of what
// registers can do for the whole, so the products run at about 74 % of it: their sums over 64 numbers
// or keys are short, and a tile is cleared, added to C and stored for every 64 steps. From 512 keys on,
// tiles of 48 to 96 queries and 192 to 384 keys differ by at most 5 %. On an AMD EPYC (Zen 5) the
// whole reaches 57 % with 256 keys, 69 % with 512, 73 % with 1,024 and 73 to 76 % with more. With 512 keys
// 72 % of the time is in the tiles, 8 % in exponentials, 4 % in waiting for the other thread, 3 % between the
// products, and some 7 % in what is linear in the length: zeros for dQ, Σ g y, scaling, transposing. With
// 2,048 keys 81 % is in the tiles.
//
// With AVX2 (16 registers of 8 floats; the Zen 4 of the next paragraph, compiled for x86-64-v3) the whole
// reaches 47 % with 256 keys, 50 % with 512 and 68 % with 2,048, while a product of 512 has 91 %. With 512
// keys 79 % of the time is in the tiles, 8 % in exponentials, 2 % each in transposing, waiting and the
// search for bad numbers; with 2,048 keys 85 and 9 %. So exponentials are not what costs: the products
// themselves run at some 64 % and 80 % of the peak. Called alone, with 64 queries and 256 keys, in a
// program of a few lines, each reaches 70 to 88 % of it. The lowest is the one whose rows, of a head among
// four, lie 1 KiB apart and share a few sets of the first cache; but copies of queries and gradients
// without that distance gained nothing (1.02 and 1.02 times as long, medians of 11 rounds in turn).
//
// Under causal attention a tile that the diagonal crosses is cut into tiles of 24 queries, because each
// of its queries gets the keys of the last one: half of a tile too many, on average, which at 256
// queries is a quarter of the work. That made 256 queries 1.10 times as fast, 512 1.04 and 1,024 1.03
// (AMD, Zen 4, medians of 13 and 15 rounds in turn).
//
// The work is divided into pieces (head, part). If there are few heads, the query tiles (forward)
// or key tiles (backward) of each head are divided into a few parts: part p of n takes the tiles p,
// p + n, p + 2 n, ... Under causal attention, where later queries have more keys, the parts then
// take about equally long. The number of parts depends on the sizes only, and all sums are computed
// in one order, so the result has the same bits with any number of threads.
#pragma once

#include <limits>
#include <optional>
#include <utility>

#include "attention/fused/plain_attention.h"
#include "autograd/base/parallel.h"
#include "autograd/kernels/gemm.h"
#include "autograd/kernels/gemm_layout.h"
#include "autograd/kernels/machine.h"
#include "autograd/kernels/sums.h"
#include "autograd/ops/reduce/reductions.h"
#include "autograd/ops/shape/shape_ops.h"
#include "autograd/ops/support/rows.h"
#include "autograd/ops/support/windows.h"

namespace heed::tiles {
inline namespace HEED_REGISTERS {

inline constexpr int64_t query_tile = 64;
inline constexpr int64_t key_tile = 256;      // the widest; rows of scores are so far apart
inline constexpr int64_t diagonal_tile = 24;  // four times the rows of a tile in registers
inline constexpr int64_t enough_work = 8;     // pieces of work, so that all threads stay busy
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
// The rows of one head in other data that has the layout of x.
template <class T>
Matrix<T> rows_to(T* data, const Tensor& x, int64_t head) {
    const Matrix<const T> rows = rows_of<T>(x, head);
    return {data + (rows.data - x.data<T>()), rows.rows, rows.columns, rows.row_stride, 1};
}
template <class T>
Matrix<T> some_rows(Matrix<T> x, int64_t first, int64_t count) {
    return block(x, first, count, 0, x.columns);
}

// A new tensor [B, H, T, D] that is a view of storage [B, T, H, D].
inline Tensor with_heads_inside(const Shape& s, Dtype dtype) {
    return transpose(empty({s[0], s[2], s[1], s[3]}, dtype), 1, 2);
}

// How many heads of queries share one head of keys, H / G: head h of the queries [B H] reads head h /
// sharing(q, k) of the keys [B G].
inline int64_t sharing(const Tensor& q, const Tensor& k) {
    return k.size(1) > 0 ? q.size(1) / k.size(1) : 1;
}

// A new tensor for the gradient of x, stored in the order of x, [B, H, T, D] or [B, T, H, D]: what comes
// next in the pass then needs no copy. If `sharing` heads share one of x, each has its own.
inline Tensor new_gradient(const Tensor& x, bool zero = false, int64_t sharing = 1) {
    const bool inside = x.size(2) > 1 && x.strides()[1] < x.strides()[2];
    const Shape s{x.size(0), x.size(1) * sharing, x.size(2), x.size(3)},
        stored = inside ? Shape{s[0], s[2], s[1], s[3]} : s;
    const Tensor gradient = zero ? zeros(stored, x.dtype()) : empty(stored, x.dtype());
    return inside ? transpose(gradient, 1, 2) : gradient;
}

// The sum of the gradients of the heads that share one: [B, H, T, D] -> [B, H / sharing, T, D].
inline Tensor sum_of_sharing(const Tensor& x, int64_t sharing) {
    if (sharing == 1) return x;
    const int64_t groups = x.size(1) / sharing;
    const Tensor stored = transpose(x, 1, 2);  // [B, T, H, D]
    return transpose(sum(reshape(stored, {x.size(0), x.size(2), groups, sharing, x.size(3)}), 3), 1,
                     2);
}

// SplitMix64's mixing function (Steele, Lea, Flood 2014): changes every bit of x beyond
// recognition.
inline uint64_t mixed(uint64_t x) {
    x += 0x9E3779B97F4A7C15;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
    return x ^ (x >> 31);
}

// Dropout of weights. Whether a weight is kept is computed from the seed, its row and its key by a
// hash (a counter-based generator as in Salmon et al. 2011). So forward and backward need not store
// anything to agree, and the tiles may be computed in any order by any number of threads.
class WeightDropout {
  public:
    WeightDropout(double probability, uint64_t seed)
        : seed_(seed),
          threshold_(static_cast<uint32_t>(probability * 0x1p32)),
          factor_(1 / (1 - probability)) {}

    bool drops() const { return threshold_ > 0; }

    // What the weights of one row (of [B H Q]) are multiplied by, for `count` keys from first_key:
    // 0 or 1 / (1 - probability).
    template <class T>
    void factors(T* out, int64_t row, int64_t first_key, int64_t count) const {
        const uint64_t random = mixed(seed_ + mixed(static_cast<uint64_t>(row)));
        const uint32_t a = static_cast<uint32_t>(random), b = static_cast<uint32_t>(random >> 32);
        const uint32_t first = static_cast<uint32_t>(first_key), threshold = threshold_;
        const T factor = static_cast<T>(factor_);
        for (uint32_t j = 0; j < static_cast<uint32_t>(count); ++j) {
            uint32_t x = (first + j) * 0x9E3779B9u + a;
            x = (x ^ (x >> 16)) * 0x7FEB352Du ^ b;  // the constants are Chris Wellons' lowbias32
            x = (x ^ (x >> 15)) * 0x846CA68Bu;
            x ^= x >> 16;
            out[j] = x >= threshold ? factor : T(0);
        }
    }

  private:
    uint64_t seed_ = 0;
    uint32_t threshold_ = 0;  // of 2³²
    double factor_ = 0;
};

// What happens to scores before softmax (the bias is added, and scores that are not allowed become
// -∞), and to weights after it (dropout).
template <class T>
class ScoreRules {
  public:
    ScoreRules(const Shape& scores, const AttentionCall& options)
        : causal(options.causal),
          first_position(scores[3] - scores[2]),
          dropout_(options.dropout, options.dropout_seed.value_or(0)) {
        if (options.bias.defined()) bias_.emplace(contiguous_rows(detach(options.bias)), scores);
        if (options.mask.defined()) mask_.emplace(contiguous_rows(detach(options.mask)), scores);
    }

    // The number of keys that query i may attend to at most: with causal, those up to its position.
    int64_t last_key(int64_t i, int64_t keys) const {
        return causal ? first_position + i + 1 : keys;
    }

    // The queries from i on, below `end`, are computed together with `count` keys from first_key: this
    // many of them. Each gets the keys of the last one, so where causal attention ends among these keys
    // only a few are taken.
    int64_t together(int64_t i, int64_t end, int64_t first_key, int64_t count) const {
        const bool ends_here = causal && last_key(i, count) < first_key + count;
        return std::min(ends_here ? diagonal_tile : query_tile, end - i);
    }

    // How many of `count` keys from first_key are left when those at the end that none of the queries may
    // attend to are cut off. The queries are i, i + 1, ... of their head, the first in row `row` of
    // [B H Q]; there are `keys` keys. Where a batch was padded, whole tiles are cut off.
    int64_t seen(int64_t row, int64_t i, int64_t queries, int64_t first_key, int64_t count,
                 int64_t keys) const {
        const int64_t all = std::min(count, last_key(i + queries - 1, keys) - first_key);
        if (!mask_) return all;
        int64_t open = 0;
        const T* before = nullptr;
        for (int64_t r = row; r < row + queries && open < all; ++r) {
            const T* m = (*mask_)[r] + first_key * mask_->step();
            if (std::exchange(before, m) == m) continue;  // most often one mask for all queries
            int64_t last = all;
            while (last > open && m[(last - 1) * mask_->step()] == 0) --last;
            open = last;
        }
        return open;
    }

    // To the scores of one query (row `row` of [B H Q], query i of its head) with `count` keys.
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

    // Whether the query of this row may attend to a key. Slow, as are the two that use it: for rows
    // without a sum, and for rows with a NaN.
    bool allows(int64_t row, int64_t i, int64_t key) const {
        return key < last_key(i, key + 1) && (!mask_ || (*mask_)[row][key * mask_->step()] != 0);
    }
    // For the plain loops over a head: all that is known of its query i and a key. The first query is in
    // row `first` of [B H Q].
    auto pairs(int64_t first) const {
        return [this, first](int64_t i, int64_t key) -> PlainPair<T> {
            T dropout = 1;
            if (dropout_.drops()) dropout_.factors(&dropout, first + i, key, 1);
            return {allows(first + i, i, key),
                    bias_ ? (*bias_)[first + i][key * bias_->step()] : T(0), dropout};
        };
    }
    // Whether it may attend to any key at all.
    bool allows_some(int64_t row, int64_t i, int64_t keys) const {
        for (int64_t j = 0; j < keys; ++j)
            if (allows(row, i, j)) return true;
        return false;
    }
    // Sets the numbers of keys that are not allowed to 0, as apply() sets their scores to -∞.
    void zero_masked(T* numbers, int64_t row, int64_t i, int64_t first_key, int64_t count) const {
        for (int64_t j = 0; j < count; ++j)
            if (!allows(row, i, first_key + j)) numbers[j] = 0;
    }

    // Multiplies numbers of one row by the factors of dropout of their keys.
    void drop(T* numbers, int64_t row, int64_t first_key, int64_t count) const {
        if (!dropout_.drops()) return;
        T factors[key_tile];
        dropout_.factors(factors, row, first_key, count);
        for (int64_t j = 0; j < count; ++j) numbers[j] *= factors[j];
    }

  private:
    static Vec<T> spread(const T* p, int64_t step, int64_t j, auto n) {
        return step == 0 ? Vec<T>(*p) : take(p + j, n);
    }

    bool causal = false;
    int64_t first_position = 0;  // that of query 0 among the keys
    WeightDropout dropout_;
    std::optional<Rows<T>> bias_, mask_;
};

// Whether `count` numbers are finite.
template <class T>
bool all_finite(const T* numbers, int64_t count) {
    bool finite = true;
    for (int64_t j = 0; j < count; ++j) finite &= std::abs(numbers[j]) < T(infinity);
    return finite;
}
template <class T>
bool all_finite(Matrix<T> x) {
    bool finite = true;
    for (int64_t i = 0; i < x.rows; ++i) finite &= all_finite(&x(i, 0), x.columns);
    return finite;
}

// Whether the weights that backward computes as e^(s - log_sum) are right: where |log_sum| is so large
// that ln Σ is lost in its rounding, weights that are equal do not sum to 1.
template <class T>
bool keeps_digits(const T* log_sums, int64_t count) {
    constexpr T most = T(1e-3) / std::numeric_limits<T>::epsilon();
    bool keeps = true;
    for (int64_t i = 0; i < count; ++i)
        keeps &= !(std::abs(log_sums[i]) > most && std::abs(log_sums[i]) < T(infinity));
    return keeps;
}

// A tile of keys (or values), transposed once for many queries.
template <class T>
Matrix<const T> transposed_tile(Matrix<const T> x, int64_t queries, GrowingBuffer<T>& buffer) {
    if (queries < query_tile / 4) return transposed(x);
    const int64_t width = tiles_in(x.rows, Vec<T>::lanes) * Vec<T>::lanes;  // filled up with zeros
    T* to = buffer.reserve(width * x.columns);
    transpose_into<false>(to, width, width, x.data, x.row_stride, x.rows, x.columns);
    return {to, x.columns, width, width, 1};
}

// A copy of the queries of a head times scale, so that their products with keys are the scaled scores.
template <class T>
Matrix<const T> scaled(Matrix<const T> q, double scale, GrowingBuffer<T>& buffer) {
    T* to = buffer.reserve(q.rows * q.columns);
    for (int64_t i = 0; i < q.rows; ++i)
        each_register<T>(q.columns, [&](int64_t j, auto n) {
            put(take(q.data + i * q.row_stride + j, n) * Vec<T>(scale), to + i * q.columns + j, n);
        });
    return {to, q.rows, q.columns, q.columns, 1};
}

// A tile of the gradient of keys or values: a sum of at most `products` products, one for each tile of
// queries. A few are added up in `to`; many are added up apart, with compensation (sums.h).
template <class T>
class TileSum {
  public:
    TileSum(Matrix<T> to, int64_t products, GrowingBuffer<T>& buffer)
        : to_(to),
          apart_(products > few_terms ? to.rows * to.columns : 0),
          zeros_(buffer.reserve(3 * apart_)),
          sums_(zeros_, apart_),
          begun_(apart_ > 0) {
        std::fill_n(zeros_, 3 * apart_, T(0));
    }
    // Adds A B to the first rows.
    void add_product(Matrix<const T> a, Matrix<const T> b) {
        const Matrix<T> apart{sums_.terms(), to_.rows, to_.columns, to_.columns, 1};
        gemm(a, b, some_rows(apart_ > 0 ? apart : to_, 0, a.rows), begun_);
        if (!begun_) clear_rows(a.rows);
        begun_ = true;
        sums_.next_row();
    }
    void finish() {
        if (!begun_) clear_rows(0);
        const T* sum = sums_.finish();
        for (int64_t i = 0; i < to_.rows && apart_ > 0; ++i)
            std::copy_n(sum + i * to_.columns, to_.columns, to_.data + i * to_.row_stride);
    }

  private:
    void clear_rows(int64_t first) {
        for (int64_t i = first; i < to_.rows; ++i)
            std::fill_n(to_.data + i * to_.row_stride, to_.columns, T(0));
    }

    Matrix<T> to_;
    int64_t apart_ = 0;  // how many numbers are added up apart: all or none
    T* zeros_ = nullptr;
    ColumnSums<T> sums_;
    bool begun_ = false;  // whether the sum holds numbers
};

// The gradient of the queries: each part of the work (divide_work) adds to zeros of its own.
class QueryGradients {
  public:
    QueryGradients(const Tensor& q, int64_t parts) {
        for (int64_t p = 0; p < parts; ++p) gradients_.push_back(new_gradient(q, true));
    }
    const Tensor& first() const { return gradients_[0]; }
    template <class T>
    std::vector<T*> data() {
        std::vector<T*> all;
        for (Tensor& dq : gradients_) all.push_back(dq.edit<T>());
        return all;
    }
    // Adds all parts to the first. To be called once, when they are complete.
    Tensor sum() {
        for (std::size_t p = 1; p < gradients_.size(); ++p) add_to_view(first(), gradients_[p]);
        return first();
    }

  private:
    std::vector<Tensor> gradients_;
};

// Computes the gradients of a head again, by plain loops, if a masked pair may have been read (a gradient
// is not finite although some pairs are masked) or digits were lost. pairs(head) gives the function
// pair(i, j) of PlainHead; the gradients have been computed by a kernel.
template <class T, class Pairs>
void repair_gradients(const Tensor& g, const Tensor& q, const Tensor& k, const Tensor& v,
                      const Tensor& log_sum, double scale, bool masked, const Pairs& pairs,
                      std::array<Tensor, 3>& gradients) {
    const int64_t heads = q.size(0) * q.size(1), queries = q.size(2);
    Tensor &dq = gradients[0], &dk = gradients[1], &dv = gradients[2];
    T *to_q = dq.edit<T>(), *to_k = dk.edit<T>(), *to_v = dv.edit<T>();
    parallel_for(
        heads, rows_per_chunk(dq.numel() / std::max<int64_t>(heads, 1)),
        [&](int64_t begin, int64_t end) {
            for (int64_t head = begin; head < end; ++head) {
                const Matrix<T> dqs = rows_to(to_q, dq, head), dks = rows_to(to_k, dk, head),
                                dvs = rows_to(to_v, dv, head);
                const bool read =
                    masked && !(all_finite(dqs) && all_finite(dks) && all_finite(dvs));
                if (!read && keeps_digits(log_sum.data<T>() + head * queries, queries)) continue;
                for (const Matrix<T>& x : {dqs, dks, dvs})
                    for (int64_t i = 0; i < x.rows; ++i) std::fill_n(&x(i, 0), x.columns, T(0));
                const int64_t of_keys = head / sharing(q, k);
                const PlainHead plain{rows_of<T>(q, head), rows_of<T>(k, of_keys),
                                      rows_of<T>(v, of_keys), static_cast<T>(scale), pairs(head)};
                for (int64_t i = 0; i < queries; ++i)
                    plain.backward(i, rows_of<T>(g, head), dqs, dks, dvs);
            }
        });
}

// The products of queries with the first `count` keys of a tile, rounded up to whole registers.
template <class T>
void products(Matrix<const T> queries, Matrix<const T> tile, int64_t count, T* out) {
    tile.columns = std::min(tile.columns, tiles_in(count, Vec<T>::lanes) * Vec<T>::lanes);
    gemm(queries, tile, Matrix<T>{out, queries.rows, tile.columns, key_tile, 1});
}

// Buffers of one thread, kept for the next call.
template <class T>
struct Workspace {
    GrowingBuffer<T> queries, keys, values, weights, gradients, numbers;
    GrowingBuffer<T> key_sums, value_sums;  // of backward
};
template <class T>
Workspace<T>& workspace() {
    thread_local Workspace<T> space;
    return space;
}

// The number of parts that the work of a head is divided into.
inline int64_t parts_for(int64_t heads, int64_t tiles) {
    return std::clamp<int64_t>(enough_work / std::max<int64_t>(heads, 1), 1,
                               std::max<int64_t>(tiles, 1));
}

// work(head, part) for all heads and parts. Below parallel_work multiply-adds one thread is faster
// than two.
inline constexpr int64_t parallel_work = 1 << 18;

template <class Work>
void divide_work(int64_t heads, int64_t parts, int64_t multiply_adds, const Work& work) {
    const int64_t pieces = heads * parts;
    parallel_for(pieces, multiply_adds < parallel_work ? pieces : 1,
                 [&](int64_t begin, int64_t end) {
                     for (int64_t i = begin; i < end; ++i) work(i / parts, i % parts);
                 });
}

}  // namespace HEED_REGISTERS
}  // namespace heed::tiles
