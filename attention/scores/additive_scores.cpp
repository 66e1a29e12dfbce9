#include "attention/scores/additive_scores.h"

#include "autograd/backward/backward.h"
#include "autograd/kernels/sums.h"
#include "autograd/kernels/vec_math.h"
#include "autograd/ops/elementwise/binary.h"
#include "autograd/ops/elementwise/unary.h"
#include "autograd/ops/product/matmul.h"
#include "autograd/ops/reduce/reductions.h"
#include "autograd/ops/shape/shape_ops.h"
#include "autograd/ops/support/rows.h"
#include "autograd/record/record.h"
#include "autograd/tensor/shapes.h"

namespace heed {
namespace {

// Σ v tanh(q + k)
template <class T>
T score_of(const T* q, const T* k, const T* v, int64_t width) {
    return row_sum<T>(width, [&](int64_t i, auto n) {
        return take(v + i, n) * tanh(take(q + i, n) + take(k + i, n));
    });
}

// With t = tanh(q + k) and g the gradient of the score: dv += g t, dq += d, dk += d, where
// d = g v (1 - t²). 1 - t² = 4 σ(2 x) σ(-2 x) keeps its digits where t is nearly 1.
template <class T>
void score_backward(T g, const T* q, const T* k, const T* v, T* dq, T* dk, T* dv, int64_t width) {
    each_register<T>(width, [&](int64_t i, auto n) {
        const Vec<T> x = take(q + i, n) + take(k + i, n);
        const Vec<T> d = Vec<T>(g) * take(v + i, n) * (4.0 * sigmoid_slope(2.0 * x));
        put(take(dq + i, n) + d, dq + i, n);
        put(take(dk + i, n) + d, dk + i, n);
        put(take(dv + i, n) + Vec<T>(g) * tanh(x), dv + i, n);
    });
}

// The least number of sequences for one thread: a tanh costs about a dozen elementary steps.
int64_t sequences_per_chunk(int64_t queries, int64_t keys, int64_t width) {
    return std::max<int64_t>(1, parallel_grain / 8 / std::max<int64_t>(queries * keys * width, 1));
}

std::array<Tensor, 3> backward(const Tensor& g, const Tensor& q, const Tensor& k, const Tensor& v) {
    const int64_t batch = q.size(0), queries = q.size(1), keys = k.size(1), width = q.size(2);
    Tensor dq = zeros(q.shape(), q.dtype()), dk = zeros(k.shape(), q.dtype());
    // dv is a sum over the batch: each chunk of sequences sums a part, and the parts are added in
    // order. Their number does not depend on the number of threads, so neither do the bits.
    const int64_t grain = std::max(sequences_per_chunk(queries, keys, width), (batch + 15) / 16);
    Tensor parts = zeros({std::max<int64_t>((batch + grain - 1) / grain, 1), 3, width}, q.dtype());
    with_dtype(q.dtype(), [&]<class T>(T) {
        const Rows<T> gs(g), qs(q), ks(k);
        const T* vs = v.data<T>();
        T *to_q = dq.edit<T>(), *to_k = dk.edit<T>(), *to_v = parts.edit<T>();
        parallel_for(batch, grain, [&](int64_t begin, int64_t end) {
            ColumnSums<T> own(to_v + begin / grain * 3 * width, width);
            thread_local GrowingBuffer<T> keys_buffer, query_buffer;
            for (int64_t b = begin; b < end; ++b) {
                ColumnSumsInto<T> of_keys(to_k + b * keys * width, keys * width, queries,
                                          keys_buffer);
                for (int64_t i = b * queries; i < (b + 1) * queries; ++i, of_keys.next_row()) {
                    ColumnSumsInto<T> of_query(to_q + i * width, width, keys, query_buffer);
                    for (int64_t j = 0; j < keys; ++j, of_query.next_row(), own.next_row())
                        score_backward(gs[i][j], qs[i], ks[b * keys + j], vs, of_query.terms(),
                                       of_keys.terms() + j * width, own.terms(), width);
                    of_query.finish();
                }
                of_keys.finish();
            }
            own.finish();
        });
    });
    return {dq, dk, sum(select(parts, 1, 1), 0)};
}

}  // namespace

Tensor additive_scores(const Tensor& q, const Tensor& k, const Tensor& v) {
    const Shapes in("additive_scores", {{"q", q, "B Q A"}, {"k", k, "B K A"}, {"v", v, "A"}});
    const int64_t batch = in["B"], queries = in["Q"], keys = in["K"], width = in["A"];
    const Tensor weights = contiguous_rows(detach(v));
    Tensor scores = empty({batch, queries, keys}, q.dtype());
    with_dtype(q.dtype(), [&]<class T>(T) {
        const Rows<T> qs(q), ks(k);
        const T* vs = weights.data<T>();
        T* out = scores.edit<T>();
        parallel_for(
            batch, sequences_per_chunk(queries, keys, width), [&](int64_t begin, int64_t end) {
                for (int64_t i = begin * queries; i < end * queries; ++i)
                    for (int64_t j = 0; j < keys; ++j)
                        out[i * keys + j] = score_of(qs[i], ks[i / queries * keys + j], vs, width);
            });
    });
    return record_fused("additive_scores", std::move(scores), std::array{q, k, v},
                        additive_scores_definition,
                        [=](const Tensor& g) { return backward(g, q, k, weights); });
}

Tensor additive_scores_definition(const Tensor& q, const Tensor& k, const Tensor& v) {
    const Shapes in("additive_scores_definition",
                    {{"q", q, "B Q A"}, {"k", k, "B K A"}, {"v", v, "A"}});
    const Tensor sums = unsqueeze(q, 2) + unsqueeze(k, 1);   // [B, Q, K, A]
    return squeeze(matmul(tanh(sums), unsqueeze(v, 1)), 3);  // [B, Q, K]
}

}  // namespace heed
