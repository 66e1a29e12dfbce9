// Each direction: first what is computed for one tile or row, then the loops over tiles, then the
// function that divides the heads among threads.
#include "attention/fused/tiled_attention.h"

#include <cmath>

#include "attention/fused/tiles.h"
#include "autograd/kernels/vec_math.h"
#include "autograd/ops/reductions.h"

namespace heed {

using namespace tiles;

// --- forward ------------------------------------------------------------------------------------
//
// Each query keeps the largest score so far and the sum of e^(score - largest). When a later tile
// has a larger score, everything summed before is multiplied by e^(old largest - new largest).
//
// A diverged model must not look healthy. The largest score passes over a NaN, but e^NaN and
// e^(∞ - ∞) are NaN and so is the sum they are added to: the whole row of the context becomes NaN, as
// in the definition, without a test for it. Only a sum of 0 needs one. It means that no key is
// allowed, and the context is 0; or that all allowed scores are -∞, and it is 0 / 0.

namespace {

template <class T>
void multiply_row(T* row, int64_t n, T factor) {
    each_register<T>(n, [&](int64_t j, auto count) {
        put(take(row + j, count) * Vec<T>(factor), row + j, count);
    });
}

// The state of a query's softmax after some of its keys: the largest score, and Σ e^(s - largest).
template <class T>
struct Running {
    T largest = -infinity, sum = 0;
};

// Replaces scores s by e^(s - largest), with the largest score of these and all earlier keys.
// Returns the factor by which what was summed for earlier keys has to be multiplied.
template <class T>
T add_keys(T* s, int64_t count, Running<T>& running) {
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
    const Tensor &q, &k, &v, &y;  // y: for the layout of the context, [B, H, Q, D']
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
                    const T shrink = add_keys(s + r * key_tile, seen, running[i + r]);
                    if (first > 0 && shrink != 1)
                        multiply_row(ys.data + (i + r) * ys.row_stride, ys.columns, shrink);
                    rules.drop(s + r * key_tile, head * qs.rows + i + r, first, seen);
                }
                gemm(Matrix<const T>{s, queries, seen, key_tile, 1}, some_rows(vs, first, seen),
                     some_rows(ys, i, queries), first > 0);
            }  // queries
        }      // keys

        for (int64_t tile = part * query_tile; tile < qs.rows; tile += parts * query_tile)
            for (int64_t i = tile; i < std::min(tile + query_tile, qs.rows); ++i) {
                const auto [largest, sum] = running[i];
                T *row = ys.data + i * ys.row_stride, *logarithm = log_sum + head * qs.rows + i;
                if (sum == 0 && !rules.allows_some(head * qs.rows + i, i, ks.rows)) {
                    std::fill_n(row, ys.columns, T(0));
                    *logarithm = infinity;
                } else {
                    multiply_row(row, ys.columns, 1 / sum);
                    *logarithm = sum == 0 ? std::nan("") : largest + std::log(sum);
                }
            }
    }
};

}  // namespace

AttentionForward tiled_attention(const Tensor& q, const Tensor& k, const Tensor& v,
                                 const ScaledDotProductOptions& options) {
    const int64_t heads = q.size(0) * q.size(1), queries = q.size(2), keys = k.size(2);
    const Tensor qs = contiguous_rows(q), ks = contiguous_rows(k), vs = contiguous_rows(v);
    const int64_t parts = parts_for(heads, tiles_in(queries, query_tile));
    Tensor y = with_heads_inside({q.size(0), q.size(1), queries, v.size(3)}, q.dtype(), false);
    Tensor log_sum = empty({q.size(0), q.size(1), queries}, q.dtype());
    with_dtype(q.dtype(), [&]<class T>(T) {
        divide_work(heads, parts, heads * queries * keys * (q.size(3) + v.size(3)),
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

// --- backward -----------------------------------------------------------------------------------
//
// With S the scores, P = e^(S - log_sum) the weights, computed again, and M the factors of dropout,
//
//     dV = (P ∘ M)ᵀ g      dP = M ∘ (g Vᵀ)      dS = P ∘ (dP - δ),  δ = Σ g y
//     dQ = scale dS K                           dK = scale dSᵀ Q
//
// In the rule of softmax δ is Σⱼ Pⱼ dPⱼ. With dPⱼ = Mⱼ g·vⱼ and y = Σⱼ Pⱼ Mⱼ vⱼ that is g·y.
//
// Keys that are not allowed have the score -∞, so their P is 0, and their dS is set to 0 whatever
// their value is. In a row whose log_sum is NaN or whose δ is not finite, -∞ no longer gives 0: there
// the gradients of all allowed keys are NaN, and the mask is applied again.

namespace {

// Replaces s by P and dp by scale dS.
template <class T>
void weights_and_gradients(T* s, T* dp, int64_t count, T log_sum, T delta, double scale) {
    each_register<T>(count, [&](int64_t j, auto n) {
        const Vec<T> p = exp(take(s + j, n) - Vec<T>(log_sum));
        const Vec<T> ds = p * (take(dp + j, n) - Vec<T>(delta)) * Vec<T>(scale);
        put(where(take(s + j, n) == Vec<T>(-infinity), Vec<T>(0.0), ds), dp + j, n);
        put(p, s + j, n);
    });
}

// The same in a row with a NaN or an infinity.
template <class T>
void bad_weights_and_gradients(T* s, T* dp, int64_t count, T log_sum, T delta, double scale) {
    for (int64_t j = 0; j < count; ++j) {
        s[j] = std::exp(s[j] - log_sum);
        dp[j] = s[j] * (dp[j] - delta) * static_cast<T>(scale);
    }
}

template <class T>
struct Backward {
    const Tensor &g, &q, &k, &v, &y;
    const Tensor &dq, &dk, &dv;  // for their layouts
    double scale;
    ScoreRules<T> rules;
    const T* log_sum;
    T *to_q, *to_k, *to_v;  // to_q: one dq for each part
    int64_t parts;

    // Key tiles part, part + parts, ... of a head.
    void operator()(int64_t head, int64_t part) const {
        Workspace<T>& space = workspace<T>();
        const Matrix<const T> qs = rows_of<T>(q, head), ks = rows_of<T>(k, head),
                              vs = rows_of<T>(v, head), gs = rows_of<T>(g, head);
        const Matrix<T> dqs = rows_to(to_q + part * q.numel(), dq, head),
                        dks = rows_to(to_k, dk, head), dvs = rows_to(to_v, dv, head);
        const T* delta = deltas(head, gs, space);

        for (int64_t first = part * key_tile; first < ks.rows; first += parts * key_tile) {
            const int64_t keys = std::min(key_tile, ks.rows - first);
            const auto k_tile = transposed_tile(some_rows(ks, first, keys), qs.rows, space.keys);
            const auto v_tile = transposed_tile(some_rows(vs, first, keys), qs.rows, space.values);
            for (int64_t i = 0; i < qs.rows; i += query_tile) {
                const int64_t queries = std::min(query_tile, qs.rows - i);
                const int64_t seen =
                    std::min(keys, rules.last_key(i + queries - 1, ks.rows) - first);
                if (seen <= 0) continue;
                const Matrix<const T> q_tile = some_rows(qs, i, queries),
                                      g_tile = some_rows(gs, i, queries);
                T* s = space.weights.reserve(query_tile * key_tile);
                T* ds = space.gradients.reserve(query_tile * key_tile);
                products(scaled(q_tile, scale, space.queries), k_tile, seen, s);
                products(g_tile, v_tile, seen, ds);
                for (int64_t r = 0; r < queries; ++r) {
                    const int64_t row = head * qs.rows + i + r;
                    rules.apply(s + r * key_tile, row, i + r, first, seen);
                    rules.drop(ds + r * key_tile, row, first, seen);
                    if (!std::isnan(log_sum[row]) && std::isfinite(delta[i + r])) {
                        weights_and_gradients(s + r * key_tile, ds + r * key_tile, seen,
                                              log_sum[row], delta[i + r], scale);
                    } else {
                        bad_weights_and_gradients(s + r * key_tile, ds + r * key_tile, seen,
                                                  log_sum[row], delta[i + r], scale);
                        for (T* numbers : {s, ds})
                            rules.zero_masked(numbers + r * key_tile, row, i + r, first, seen);
                    }
                    rules.drop(s + r * key_tile, row, first, seen);
                }
                const Matrix<const T> weights{s, queries, seen, key_tile, 1},
                    gradients{ds, queries, seen, key_tile, 1};
                gemm(transposed(weights), g_tile, some_rows(dvs, first, seen), true);
                gemm(transposed(gradients), q_tile, some_rows(dks, first, seen), true);
                gemm(gradients, some_rows(ks, first, seen), some_rows(dqs, i, queries), true);
            }  // queries
        }      // keys
    }

  private:
    const T* deltas(int64_t head, Matrix<const T> gs, Workspace<T>& space) const {
        const Matrix<const T> ys = rows_of<T>(y, head);
        T* delta = space.numbers.reserve(gs.rows);
        for (int64_t i = 0; i < gs.rows; ++i) {
            Vec<T> sums(0.0);
            each_register<T>(gs.columns, [&](int64_t j, auto n) {
                sums += take(gs.data + i * gs.row_stride + j, n) *
                        take(ys.data + i * ys.row_stride + j, n);
            });
            delta[i] = sum(sums);
        }
        return delta;
    }
};

}  // namespace

std::array<Tensor, 3> tiled_attention_backward(const Tensor& g, const Tensor& q, const Tensor& k,
                                               const Tensor& v, const AttentionForward& forward,
                                               const ScaledDotProductOptions& options) {
    const int64_t heads = q.size(0) * q.size(1), queries = q.size(2), keys = k.size(2);
    const int64_t parts = parts_for(heads, tiles_in(keys, key_tile));
    const Tensor qs = contiguous_rows(q), ks = contiguous_rows(k), vs = contiguous_rows(v);
    const Tensor gs = transpose(contiguous_rows(g), 1, 2), y = transpose(forward.context, 1, 2);
    Tensor dk = with_heads_inside(k.shape(), k.dtype(), true);
    Tensor dv = with_heads_inside(v.shape(), v.dtype(), true);
    Tensor dq_parts = zeros({parts, q.size(0), queries, q.size(1), q.size(3)}, q.dtype());
    const Tensor dq = transpose(select(dq_parts, 0, 0), 1, 2);  // that of the first part
    with_dtype(q.dtype(), [&]<class T>(T) {
        divide_work(heads, parts, heads * queries * keys * (q.size(3) + v.size(3)),
                    Backward<T>{.g = gs,
                                .q = qs,
                                .k = ks,
                                .v = vs,
                                .y = y,
                                .dq = dq,
                                .dk = dk,
                                .dv = dv,
                                .scale = options.scale,
                                .rules = {{q.size(0), q.size(1), queries, keys}, options},
                                .log_sum = forward.log_sum.data<T>(),
                                .to_q = dq_parts.edit<T>(),
                                .to_k = dk.edit<T>(),
                                .to_v = dv.edit<T>(),
                                .parts = parts});
    });
    return {parts == 1 ? dq : transpose(sum(dq_parts, {0}), 1, 2), dk, dv};
}

}  // namespace heed
