// All numbers are double, whatever the dtype. For one query i of one head:
//
//     sⱼ = scale qᵢ·kⱼ + bias, -∞ if j may not be attended to      log_sum = ln Σⱼ e^sⱼ
//     pⱼ = e^(sⱼ - log_sum)        mⱼ = the factor of dropout        yᵢ = Σⱼ pⱼ mⱼ vⱼ
//
// and backward, with g the gradient of yᵢ:
//
//     dvⱼ += pⱼ mⱼ g        dpⱼ = mⱼ g·vⱼ        dsⱼ = pⱼ (dpⱼ - Σₗ pₗ dpₗ)
//     dqᵢ += scale dsⱼ kⱼ                        dkⱼ += scale dsⱼ qᵢ
#include "attention/fused/plain_attention.h"

#include <cmath>
#include <limits>

#include "autograd/ops/shape_ops.h"

namespace heed {

namespace {

// A copy of x [B, H, T, D], one number after another.
struct Numbers {
    Shape shape;
    std::vector<double> all;

    explicit Numbers(const Tensor& x) : shape(x.shape()), all(x.to_vector()) {}
    explicit Numbers(const Shape& s) : shape(s), all(s.numel(), 0.0) {}
    double& operator()(int64_t b, int64_t h, int64_t t, int64_t d) {
        return all[((b * shape[1] + h) * shape[2] + t) * shape[3] + d];
    }
    Tensor tensor(Dtype dtype) const { return heed::tensor(all, shape, dtype); }
};

// What both directions share: the inputs, and the scores of one query.
struct Plain {
    Numbers q, k, v, mask, bias, dropout;
    ScaledDotProductOptions options;
    int64_t batch, heads, queries, keys, width, value_width;

    Plain(const Tensor& q_, const Tensor& k_, const Tensor& v_, const ScaledDotProductOptions& o)
        : Plain(q_, k_, v_, o, Shape{q_.size(0), q_.size(1), q_.size(2), k_.size(2)}) {}
    Plain(const Tensor& q_, const Tensor& k_, const Tensor& v_, const ScaledDotProductOptions& o,
          const Shape& scores)
        : q(q_),
          k(k_),
          v(v_),
          mask(expand(o.mask.defined() ? o.mask : ones({}), scores)),
          bias(expand(o.bias.defined() ? detach(o.bias) : zeros({}), scores)),
          dropout(attention_dropout_mask(scores, o.dropout, o.dropout_seed, Dtype::float64)),
          options(o),
          batch(scores[0]),
          heads(scores[1]),
          queries(scores[2]),
          keys(scores[3]),
          width(q_.size(3)),
          value_width(v_.size(3)) {}

    bool allowed(int64_t b, int64_t h, int64_t i, int64_t j) {
        return mask(b, h, i, j) != 0 && !(options.causal && j > keys - queries + i);
    }

    std::vector<double> scores(int64_t b, int64_t h, int64_t i) {
        std::vector<double> s(keys, -std::numeric_limits<double>::infinity());
        for (int64_t j = 0; j < keys; ++j) {
            if (!allowed(b, h, i, j)) continue;
            double product = 0;
            for (int64_t d = 0; d < width; ++d) product += q(b, h, i, d) * k(b, h, j, d);
            s[j] = options.scale * product + bias(b, h, i, j);
        }
        return s;
    }

    // f(b, h, i) for every query of every head.
    template <class F>
    void for_each_query(F f) const {
        for (int64_t b = 0; b < batch; ++b)
            for (int64_t h = 0; h < heads; ++h)
                for (int64_t i = 0; i < queries; ++i) f(b, h, i);
    }
};

}  // namespace

AttentionForward plain_attention(const Tensor& q, const Tensor& k, const Tensor& v,
                                 const ScaledDotProductOptions& options) {
    Plain x(q, k, v, options);
    Numbers y(Shape{x.batch, x.heads, x.queries, x.value_width});
    Numbers log_sum(Shape{x.batch, x.heads, x.queries, 1});
    x.for_each_query([&](int64_t b, int64_t h, int64_t i) {
        const std::vector<double> s = x.scores(b, h, i);
        double largest = -std::numeric_limits<double>::infinity(), sum = 0;
        bool some = false;
        for (double each : s) largest = std::max(largest, each);
        for (int64_t j = 0; j < x.keys; ++j) {
            if (!x.allowed(b, h, i, j)) continue;
            some = true;
            sum += std::exp(s[j] - largest);  // NaN if s[j] is, and if all allowed scores are -∞
        }
        log_sum(b, h, i, 0) =
            some ? largest + std::log(sum) : std::numeric_limits<double>::infinity();
        for (int64_t j = 0; j < x.keys; ++j) {
            if (!x.allowed(b, h, i, j)) continue;
            const double p = std::exp(s[j] - log_sum(b, h, i, 0));
            for (int64_t d = 0; d < x.value_width; ++d)
                y(b, h, i, d) += p * x.dropout(b, h, i, j) * x.v(b, h, j, d);
        }
    });
    return {contiguous(transpose(y.tensor(q.dtype()), 1, 2)),
            select(log_sum.tensor(q.dtype()), 3, 0)};
}

std::array<Tensor, 3> plain_attention_backward(const Tensor& g_, const Tensor& q, const Tensor& k,
                                               const Tensor& v, const AttentionForward& forward,
                                               const ScaledDotProductOptions& options) {
    Plain x(q, k, v, options);
    Numbers g(transpose(g_, 1, 2)), log_sum(unsqueeze(forward.log_sum, 3));
    Numbers dq(q.shape()), dk(k.shape()), dv(v.shape());
    x.for_each_query([&](int64_t b, int64_t h, int64_t i) {
        std::vector<double> p = x.scores(b, h, i), dp(x.keys, 0.0);
        double delta = 0;  // Σ p dp
        for (int64_t j = 0; j < x.keys; ++j) {
            if (!x.allowed(b, h, i, j)) continue;
            p[j] = std::exp(p[j] - log_sum(b, h, i, 0));
            const double m = x.dropout(b, h, i, j);
            for (int64_t d = 0; d < x.value_width; ++d) {
                dv(b, h, j, d) += p[j] * m * g(b, h, i, d);
                dp[j] += m * g(b, h, i, d) * x.v(b, h, j, d);
            }
            delta += p[j] * dp[j];
        }
        for (int64_t j = 0; j < x.keys; ++j) {
            if (!x.allowed(b, h, i, j)) continue;
            const double ds = p[j] * (dp[j] - delta);
            for (int64_t d = 0; d < x.width; ++d) {
                dq(b, h, i, d) += options.scale * ds * x.k(b, h, j, d);
                dk(b, h, j, d) += options.scale * ds * x.q(b, h, i, d);
            }
        }
    });
    return {dq.tensor(q.dtype()), dk.tensor(q.dtype()), dv.tensor(q.dtype())};
}

}  // namespace heed
