// Each direction: first what is computed for one tile or row, then the loops over tiles, then the
// function that divides the heads among threads.
#include "attention/fused/tiled_attention.h"

#include <cmath>

#include "attention/fused/running_softmax.h"
#include "attention/fused/tiles.h"

namespace heed {

using namespace tiles;

// --- forward ------------------------------------------------------------------------------------
//
// The softmax of a query is computed while its keys arrive tile by tile: running_softmax.h.
//
// A diverged model must not look healthy. The largest score passes over a NaN, but e^NaN and
// e^(∞ - ∞) are NaN and so is the sum they are added to: the whole row of the context becomes NaN, as
// in the definition, without a test for it. A sum of 0 needs one. It means that no key is allowed, and
// the context is 0; or that all allowed scores are -∞, and it is 0 / 0. And a row that is not finite
// although its weights are is computed again by the plain loops: either a masked value was multiplied by
// 0 (masked means not read), or the sum overflowed before it was divided.

namespace {

template <class T>
struct Forward {
    const Tensor &q, &k, &v, &y;  // y: for the layout of the context, [B, H, Q, D']
    double scale;
    ScoreRules<T> rules;
    T *context, *log_sum;
    int64_t parts;
    int64_t sharing;  // how many heads share one of keys

    // Query tiles part, part + parts, ... of a head.
    void operator()(int64_t head, int64_t part) const {
        Workspace<T>& space = workspace<T>();
        const Matrix<const T> qs = scaled(rows_of<T>(q, head), scale, space.queries),
                              ks = rows_of<T>(k, head / sharing),
                              vs = rows_of<T>(v, head / sharing);
        const Matrix<T> ys = rows_to(context, y, head);
        auto* running = reinterpret_cast<Running<T>*>(space.numbers.reserve(2 * qs.rows));
        std::fill_n(running, qs.rows, Running<T>());

        const int64_t most = machine().attention_keys();
        for (int64_t first = 0; first < ks.rows; first += most) {
            const int64_t keys = std::min(most, ks.rows - first);
            const auto k_tile = transposed_tile(some_rows(ks, first, keys), qs.rows, space.keys);
            for (int64_t tile = part * query_tile; tile < qs.rows; tile += parts * query_tile) {
                const int64_t end = std::min(tile + query_tile, qs.rows);
                for (int64_t i = tile, queries; i < end; i += queries) {
                    queries = rules.together(i, end, first, keys);
                    const int64_t seen =
                        rules.seen(head * qs.rows + i, i, queries, first, keys, ks.rows);
                    if (seen <= 0) {
                        for (int64_t r = i; first == 0 && r < i + queries; ++r)
                            std::fill_n(ys.data + r * ys.row_stride, ys.columns, T(0));
                        continue;
                    }
                    T* s = space.weights.reserve(query_tile * key_tile);
                    products(some_rows(qs, i, queries), k_tile, seen, s);
                    for (int64_t r = 0; r < queries; ++r) {
                        rules.apply(s + r * key_tile, head * qs.rows + i + r, i + r, first, seen);
                        const T shrink = add_keys(s + r * key_tile, seen, running[i + r]);
                        if (first > 0 && shrink != 1)
                            multiply_row(ys.data + (i + r) * ys.row_stride, ys.columns, shrink);
                        rules.drop(s + r * key_tile, head * qs.rows + i + r, first, seen);
                    }
                    gemm(Matrix<const T>{s, queries, seen, key_tile, 1}, some_rows(vs, first, seen),
                         some_rows(ys, i, queries), first > 0);
                }
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
                    *logarithm = largest + std::log(sum);
                    if (!all_finite(row, ys.columns) && sum == sum) [[unlikely]]
                        PlainHead{rows_of<T>(q, head), ks, vs, static_cast<T>(scale),
                                  rules.pairs(head * qs.rows)}
                            .forward(i, ys);
                }
            }
    }
};

}  // namespace

AttentionForward tiled_attention(const Tensor& q, const Tensor& k, const Tensor& v,
                                 const AttentionCall& call) {
    const int64_t heads = q.size(0) * q.size(1), queries = q.size(2), keys = k.size(2);
    const Tensor qs = contiguous_rows(q), ks = contiguous_rows(k), vs = contiguous_rows(v);
    const int64_t parts = parts_for(heads, tiles_in(queries, query_tile));
    Tensor y = with_heads_inside({q.size(0), q.size(1), queries, v.size(3)}, q.dtype());
    Tensor log_sum = empty({q.size(0), q.size(1), queries}, q.dtype());
    with_dtype(q.dtype(), [&]<class T>(T) {
        divide_work(heads, parts, heads * queries * keys * (q.size(3) + v.size(3)),
                    Forward<T>{.q = qs,
                               .k = ks,
                               .v = vs,
                               .y = y,
                               .scale = call.scale,
                               .rules = {{q.size(0), q.size(1), queries, keys}, call},
                               .context = y.edit<T>(),
                               .log_sum = log_sum.edit<T>(),
                               .parts = parts,
                               .sharing = sharing(q, k)});
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
// their value is. In a row with a NaN its context is NaN, and so is δ. There, and where δ is infinite,
// -∞ no longer gives 0: the gradients of all allowed keys are NaN, and the mask is applied again. The
// three products above multiply these zeros too, with numbers that may be NaN: repair_gradients().

namespace {

template <class T>
struct Backward {
    const Tensor &g, &q, &k, &v, &y;
    const Tensor &dq, &dk, &dv;  // for their layouts
    double scale;
    ScoreRules<T> rules;
    const T* log_sum;
    std::vector<T*> to_q;  // one dq for each part, zeros
    T *to_k, *to_v;
    int64_t sharing;  // how many heads share one of keys; each adds to dk and dv of its own

    // Key tiles part, part + parts, ... of a head.
    void operator()(int64_t head, int64_t part) const {
        Workspace<T>& space = workspace<T>();
        const Matrix<const T> qs = rows_of<T>(q, head), ks = rows_of<T>(k, head / sharing),
                              vs = rows_of<T>(v, head / sharing), gs = rows_of<T>(g, head),
                              scaled_qs = scaled(qs, scale, space.queries);
        const Matrix<T> dqs = rows_to(to_q[part], dq, head), dks = rows_to(to_k, dk, head),
                        dvs = rows_to(to_v, dv, head);
        const T* delta = row_products(gs, rows_of<T>(y, head), space.numbers);

        const int64_t most = machine().attention_keys(), step = std::ssize(to_q) * most;
        for (int64_t first = part * most; first < ks.rows; first += step) {
            const int64_t keys = std::min(most, ks.rows - first);
            const auto k_tile = transposed_tile(some_rows(ks, first, keys), qs.rows, space.keys);
            const auto v_tile = transposed_tile(some_rows(vs, first, keys), qs.rows, space.values);
            const int64_t tiles = tiles_in(qs.rows, query_tile);
            TileSum<T> dk_sum(some_rows(dks, first, keys), tiles, space.key_sums);
            TileSum<T> dv_sum(some_rows(dvs, first, keys), tiles, space.value_sums);
            for (int64_t i = 0, queries; i < qs.rows; i += queries) {
                queries = rules.together(i, qs.rows, first, keys);
                const int64_t seen =
                    rules.seen(head * qs.rows + i, i, queries, first, keys, ks.rows);
                if (seen <= 0) continue;
                const Matrix<const T> q_tile = some_rows(qs, i, queries),
                                      g_tile = some_rows(gs, i, queries);
                T* s = space.weights.reserve(query_tile * key_tile);
                T* ds = space.gradients.reserve(query_tile * key_tile);
                products(some_rows(scaled_qs, i, queries), k_tile, seen, s);
                products(g_tile, v_tile, seen, ds);
                for (int64_t r = 0; r < queries; ++r) {
                    const int64_t row = head * qs.rows + i + r;
                    rules.apply(s + r * key_tile, row, i + r, first, seen);
                    rules.drop(ds + r * key_tile, row, first, seen);
                    if (std::isfinite(delta[i + r])) {
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
                dv_sum.add_product(transposed(weights), g_tile);
                dk_sum.add_product(transposed(gradients), q_tile);
                gemm(gradients, some_rows(ks, first, seen), some_rows(dqs, i, queries), true);
            }  // queries
            dk_sum.finish();
            dv_sum.finish();
        }  // keys
    }
};

}  // namespace

std::array<Tensor, 3> tiled_attention_backward(const Tensor& g, const Tensor& q, const Tensor& k,
                                               const Tensor& v, const AttentionForward& forward,
                                               const AttentionCall& call) {
    const int64_t heads = q.size(0) * q.size(1), queries = q.size(2), keys = k.size(2);
    const int64_t parts = parts_for(heads, tiles_in(keys, machine().attention_keys()));
    const Tensor qs = contiguous_rows(q), ks = contiguous_rows(k), vs = contiguous_rows(v);
    const Tensor gs = transpose(contiguous_rows(g), 1, 2), y = transpose(forward.context, 1, 2);
    QueryGradients dq(q, parts);
    const int64_t shared = sharing(q, k);
    Tensor dk = new_gradient(k, false, shared), dv = new_gradient(v, false, shared);
    with_dtype(q.dtype(), [&]<class T>(T) {
        divide_work(heads, parts, heads * queries * keys * (q.size(3) + v.size(3)),
                    Backward<T>{.g = gs,
                                .q = qs,
                                .k = ks,
                                .v = vs,
                                .y = y,
                                .dq = dq.first(),
                                .dk = dk,
                                .dv = dv,
                                .scale = call.scale,
                                .rules = {{q.size(0), q.size(1), queries, keys}, call},
                                .log_sum = forward.log_sum.data<T>(),
                                .to_q = dq.data<T>(),
                                .to_k = dk.edit<T>(),
                                .to_v = dv.edit<T>(),
                                .sharing = shared});
    });
    std::array<Tensor, 3> gradients{dq.sum(), dk, dv};
    with_dtype(q.dtype(), [&]<class T>(T) {
        const ScoreRules<T> rules({q.size(0), q.size(1), queries, keys}, call);
        repair_gradients<T>(
            gs, qs, ks, vs, forward.log_sum, call.scale, call.causal || call.mask.defined(),
            [&](int64_t head) { return rules.pairs(head * queries); }, gradients);
    });
    return {gradients[0], sum_of_sharing(gradients[1], shared),
            sum_of_sharing(gradients[2], shared)};
}

}  // namespace heed
