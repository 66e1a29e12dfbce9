// The gradients. With S the scores and P = e^(S - log_sum) the weights, computed again,
//
//     dV = Pᵀ g      dP = g Vᵀ      dS = P (dP - δ),  δ = Σ g y
//     dQ = scale dS K               dK = scale dSᵀ Q
//
// δ stands for Σⱼ Pⱼ dPⱼ of the softmax rule: it is the same sum, taken in the other order.
#include "attention/fused/tiles.h"
#include "autograd/kernels/vec_math.h"
#include "autograd/ops/reductions.h"

namespace heed {
namespace {

using namespace tiles;

// P into s, scale dS into dp.
template <class T>
void weights_and_gradients(T* s, T* dp, int64_t count, T log_sum, T delta, double scale) {
    each_register<T>(count, [&](int64_t j, auto n) {
        const Vec<T> p = exp(take(s + j, n) - Vec<T>(log_sum));
        const Vec<T> ds = p * (take(dp + j, n) - Vec<T>(delta)) * Vec<T>(scale);
        put(p, s + j, n);
        put(where(p == Vec<T>(0.0), Vec<T>(0.0), ds), dp + j, n);  // whatever a closed value holds
    });
}

template <class T>
struct Backward {
    const Tensor &g, &q, &k, &v, &y;
    const Tensor &dq, &dk, &dv;  // their layouts
    double scale;
    ScoreRules<T> rules;
    const T* log_sum;
    T *to_q, *to_k, *to_v;  // to_q: one dq after another, of each part
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
                    weights_and_gradients(s + r * key_tile, ds + r * key_tile, seen, log_sum[row],
                                          delta[i + r], scale);
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
                                               const Tensor& v, const TiledContext& kept,
                                               const ScaledDotProductOptions& options) {
    const int64_t heads = q.size(0) * q.size(1), queries = q.size(2), keys = k.size(2);
    const int64_t parts = parts_for(heads, tiles_in(keys, key_tile));
    const Tensor qs = contiguous_rows(q), ks = contiguous_rows(k), vs = contiguous_rows(v);
    const Tensor gs = transpose(contiguous_rows(g), 1, 2), y = transpose(kept.context, 1, 2);
    Tensor dk = with_heads_inside(k.shape(), k.dtype(), true);
    Tensor dv = with_heads_inside(v.shape(), v.dtype(), true);
    Tensor dq_parts = zeros({parts, q.size(0), queries, q.size(1), q.size(3)}, q.dtype());
    const Tensor dq = transpose(select(dq_parts, 0, 0), 1, 2);  // of the first part
    with_dtype(q.dtype(), [&]<class T>(T) {
        share_out(heads, parts, heads * queries * keys * (q.size(3) + v.size(3)),
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
                              .log_sum = kept.log_sum.data<T>(),
                              .to_q = dq_parts.edit<T>(),
                              .to_k = dk.edit<T>(),
                              .to_v = dv.edit<T>(),
                              .parts = parts});
    });
    return {parts == 1 ? dq : transpose(sum(dq_parts, {0}), 1, 2), dk, dv};
}

}  // namespace heed
