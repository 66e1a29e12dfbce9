// The context, and what backward needs besides it. Each query keeps the largest score seen so far
// and the sum of e^(score - largest); when a later tile holds a larger score, what was summed up
// before shrinks by a factor.
#include <cmath>

#include "attention/fused/tiles.h"
#include "autograd/kernels/vec_math.h"

namespace heed {
namespace {

using namespace tiles;

template <class T>
void multiply_row(T* row, int64_t n, T factor) {
    each_register<T>(n, [&](int64_t j, auto count) {
        put(take(row + j, count) * Vec<T>(factor), row + j, count);
    });
}

// What is known of a query's softmax after some of its keys: the largest score, and Σ e^(s -
// largest).
template <class T>
struct Running {
    T largest = -infinity, sum = 0;
};

// Turns scores s into e^(s - largest) and returns what earlier such numbers must be multiplied by,
// now that `largest` may have grown.
template <class T>
T take_in(T* s, int64_t count, Running<T>& running) {
    Vec<T> top(-infinity), sums(0.0);
    each_register<T>(count,
                     [&](int64_t j, auto n) { top = maximum(take<T>(s + j, n, -infinity), top); });
    const T before = running.largest;
    running.largest = std::max(before, largest(top));
    const T m = running.largest == -infinity ? 0 : running.largest;
    each_register<T>(count, [&](int64_t j, auto n) {
        const Vec<T> e = exp(take<T>(s + j, n, -infinity) - Vec<T>(m));
        put(e, s + j, n);
        sums += e;
    });
    const T shrink = std::exp(before - m);
    running.sum = running.sum * shrink + sum(sums);
    return shrink;
}

template <class T>
struct Forward {
    const Tensor &q, &k, &v, &y;  // y: the layout of the context, [B, H, Q, D']
    double scale;
    ScoreRules<T> rules;
    T *context, *log_sum;
    int64_t parts;

    // Query tiles part, part + parts, ... of a head.
    void operator()(int64_t head, int64_t part) const {
        Workspace<T>& space = workspace<T>();
        const Matrix<const T> qs = rows_of<T>(q, head), ks = rows_of<T>(k, head),
                              vs = rows_of<T>(v, head);
        const Matrix<T> ys = rows_to(context, y, head);
        auto* running = reinterpret_cast<Running<T>*>(space.numbers.reserve(2 * qs.rows));
        std::fill_n(running, qs.rows, Running<T>());

        for (int64_t first = 0; first < ks.rows; first += key_tile) {
            const int64_t keys = std::min(key_tile, ks.rows - first);
            const auto k_tile = transposed_tile(some_rows(ks, first, keys), qs.rows, space.keys);
            for (int64_t i = part * query_tile; i < qs.rows; i += parts * query_tile) {
                const int64_t queries = std::min(query_tile, qs.rows - i);
                const int64_t seen =
                    std::min(keys, rules.last_key(i + queries - 1, ks.rows) - first);
                if (seen <= 0) continue;
                T* s = space.weights.reserve(query_tile * key_tile);
                products(scaled(some_rows(qs, i, queries), scale, space.queries), k_tile, seen, s);
                for (int64_t r = 0; r < queries; ++r) {
                    rules.apply(s + r * key_tile, head * qs.rows + i + r, i + r, first, seen);
                    const T shrink = take_in(s + r * key_tile, seen, running[i + r]);
                    if (first > 0 && shrink != 1)
                        multiply_row(ys.data + (i + r) * ys.row_stride, ys.columns, shrink);
                }
                gemm(Matrix<const T>{s, queries, seen, key_tile, 1}, some_rows(vs, first, seen),
                     some_rows(ys, i, queries), first > 0);
            }  // queries
        }      // keys

        for (int64_t tile = part * query_tile; tile < qs.rows; tile += parts * query_tile)
            for (int64_t i = tile; i < std::min(tile + query_tile, qs.rows); ++i) {
                const auto [largest, sum] = running[i];
                T* row = ys.data + i * ys.row_stride;
                sum > 0 ? multiply_row(row, ys.columns, 1 / sum)
                        : void(std::fill_n(row, ys.columns, T(0)));
                log_sum[head * qs.rows + i] = sum > 0 ? largest + std::log(sum) : T(infinity);
            }
    }
};

}  // namespace

TiledContext tiled_attention(const Tensor& q, const Tensor& k, const Tensor& v,
                             const ScaledDotProductOptions& options) {
    const int64_t heads = q.size(0) * q.size(1), queries = q.size(2), keys = k.size(2);
    const Tensor qs = contiguous_rows(q), ks = contiguous_rows(k), vs = contiguous_rows(v);
    const int64_t parts = parts_for(heads, tiles_in(queries, query_tile));
    Tensor y = with_heads_inside({q.size(0), q.size(1), queries, v.size(3)}, q.dtype(), false);
    Tensor log_sum = empty({q.size(0), q.size(1), queries}, q.dtype());
    with_dtype(q.dtype(), [&]<class T>(T) {
        share_out(heads, parts, heads * queries * keys * (q.size(3) + v.size(3)),
                  Forward<T>{.q = qs,
                             .k = ks,
                             .v = vs,
                             .y = y,
                             .scale = options.scale,
                             .rules = {{q.size(0), q.size(1), queries, keys}, options},
                             .context = y.edit<T>(),
                             .log_sum = log_sum.edit<T>(),
                             .parts = parts});
    });
    return {transpose(y, 1, 2), log_sum};
}

}  // namespace heed
