#include "attention/fused/plain_attention.h"

#include "autograd/ops/shape/shape_ops.h"

namespace heed {

namespace {

// A copy of x [B, H, T, D], one number after another.
struct Numbers {
    Shape shape;
    std::vector<double> all;

    explicit Numbers(const Tensor& x) : shape(x.shape()), all(x.to_vector()) {}
    explicit Numbers(const Shape& s) : shape(s), all(s.numel(), 0.0) {}
    // The rows [T, D] of one head of [B H].
    Matrix<double> head(int64_t h) {
        return {all.data() + h * shape[2] * shape[3], shape[2], shape[3], shape[3], 1};
    }
    Matrix<const double> rows(int64_t h) const {
        return {all.data() + h * shape[2] * shape[3], shape[2], shape[3], shape[3], 1};
    }
    Tensor tensor(Dtype dtype) const { return heed::tensor(all, shape, dtype); }
};

// The inputs of both directions.
struct Plain {
    Numbers q, k, v, mask, bias, dropout;
    AttentionCall call;

    Plain(const Tensor& q_, const Tensor& k_, const Tensor& v_, const AttentionCall& o)
        : Plain(q_, k_, v_, o, Shape{q_.size(0), q_.size(1), q_.size(2), k_.size(2)}) {}
    Plain(const Tensor& q_, const Tensor& k_, const Tensor& v_, const AttentionCall& o,
          const Shape& scores)
        : q(q_),
          k(k_),
          v(v_),
          mask(expand(o.mask.defined() ? o.mask : ones({}), scores)),
          bias(expand(o.bias.defined() ? detach(o.bias) : zeros({}), scores)),
          dropout(attention_dropout_mask(scores, o.dropout, o.dropout_seed.value_or(0),
                                         Dtype::float64)),
          call(o) {}

    // f(head, i, h, g) for every query i of every head h of [B H], whose keys are head g of [B G].
    template <class F>
    void for_each_query(F f) const {
        const int64_t heads = q.shape[0] * q.shape[1], queries = q.shape[2], keys = k.shape[2];
        const int64_t sharing = k.shape[1] > 0 ? q.shape[1] / k.shape[1] : 1;
        for (int64_t h = 0; h < heads; ++h) {
            const auto pair = [&](int64_t i, int64_t j) -> PlainPair<double> {
                const bool later = call.causal && j > keys - queries + i;
                return {mask.rows(h)(i, j) != 0 && !later, bias.rows(h)(i, j),
                        dropout.rows(h)(i, j)};
            };
            const int64_t g = h / sharing;
            const PlainHead head{q.rows(h), k.rows(g), v.rows(g), call.scale, pair};
            for (int64_t i = 0; i < queries; ++i) f(head, i, h, g);
        }
    }
};

}  // namespace

AttentionForward plain_attention(const Tensor& q, const Tensor& k, const Tensor& v,
                                 const AttentionCall& call) {
    Numbers y(Shape{q.size(0), q.size(1), q.size(2), v.size(3)});
    Numbers log_sum(Shape{q.size(0), q.size(1), q.size(2), 1});
    Plain(q, k, v, call).for_each_query([&](const auto& head, int64_t i, int64_t h, int64_t) {
        head.forward(i, y.head(h), &log_sum.head(h)(i, 0));
    });
    return {contiguous(transpose(y.tensor(q.dtype()), 1, 2)),
            select(log_sum.tensor(q.dtype()), 3, 0)};
}

std::array<Tensor, 3> plain_attention_backward(const Tensor& g_, const Tensor& q, const Tensor& k,
                                               const Tensor& v, const AttentionForward&,
                                               const AttentionCall& call) {
    const Numbers g(transpose(g_, 1, 2));
    Numbers dq(q.shape()), dk(k.shape()), dv(v.shape());
    Plain(q, k, v, call).for_each_query([&](const auto& head, int64_t i, int64_t h, int64_t group) {
        head.backward(i, g.rows(h), dq.head(h), dk.head(group), dv.head(group));
    });
    return {dq.tensor(q.dtype()), dk.tensor(q.dtype()), dv.tensor(q.dtype())};
}

}  // namespace heed
