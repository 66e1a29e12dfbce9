// Scaled dot-product attention as plain loops, forward and backward: what to read before the tiled
// kernels of tiled_attention.h, and what those are tested against. It is slow; call
// scaled_dot_product_attention().
//
// The loops go through one key after the other and leave out those that the mask excludes. A product of
// matrices cannot leave anything out: it multiplies the 0 of such a pair with whatever stands there, and
// 0 times NaN is NaN. So where a kernel finds a result that is not finite, it calls these loops.
#pragma once

#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "attention/fused/scaled_dot_product.h"
#include "autograd/kernels/gemm.h"

namespace heed {

// The result of the forward pass. In storage the context is [B, Q, H, D'], so that joining the
// heads afterwards copies nothing.
struct AttentionForward {
    Tensor context;  // [B, Q, H, D']
    Tensor log_sum;  // [B, H, Q]: ln Σ e^score over the allowed keys, +∞ if there is none
};

// q [B, H, Q, D], k [B, G, K, D], v [B, G, K, D'] of one dtype. The scale of the call must be
// set, and mask and bias must broadcast to the scores: scaled_dot_product_attention() checks that. All
// numbers are double, whatever the dtype.
AttentionForward plain_attention(const Tensor& q, const Tensor& k, const Tensor& v,
                                 const AttentionCall& call);

// The gradients of q, k and v, in their shapes, from the gradient g [B, Q, H, D'] of the context.
std::array<Tensor, 3> plain_attention_backward(const Tensor& g, const Tensor& q, const Tensor& k,
                                               const Tensor& v, const AttentionForward& forward,
                                               const AttentionCall& call);

// What is known of a query and a key besides their numbers.
template <class T>
struct PlainPair {
    bool allowed = false;
    T bias, dropout;  // what is added to the score; what the weight is multiplied by
};

// One head. With pair(i, j) the PlainPair of query i and key j, for one query i, over the allowed keys j:
//
//     sⱼ = scale qᵢ·kⱼ + bias        pⱼ = e^(sⱼ - max s) / Σₗ e^(sₗ - max s)        yᵢ = Σⱼ pⱼ mⱼ vⱼ
//
// and backward, with g the gradient of yᵢ and m the factor of dropout:
//
//     dvⱼ += pⱼ mⱼ g        dpⱼ = mⱼ g·vⱼ        dsⱼ = pⱼ (dpⱼ - Σₗ pₗ dpₗ)
//     dqᵢ += scale dsⱼ kⱼ                        dkⱼ += scale dsⱼ qᵢ
template <class T, class Pair>
struct PlainHead {
    Matrix<const T> q, k, v;  // [Q, D], [K, D], [K, D']
    T scale;
    Pair pair;

    struct Weight {
        int64_t key = 0;
        T p, dropout;
    };
    // The weights of the allowed keys. log_sum is ln Σ e^s, +∞ if no key is allowed.
    std::vector<Weight> weights(int64_t i, T* log_sum = nullptr) const {
        constexpr T infinity = std::numeric_limits<T>::infinity();
        std::vector<Weight> all;
        T largest = -infinity, sum = 0;
        for (int64_t j = 0; j < k.rows; ++j)
            if (const PlainPair<T> of = pair(i, j); of.allowed) {
                T s = 0;
                for (int64_t d = 0; d < q.columns; ++d) s += scale * q(i, d) * k(j, d);
                all.push_back({j, s + of.bias, of.dropout});
                largest = std::max(largest, all.back().p);
            }
        // NaN if a score is NaN, and if all are -∞.
        for (Weight& w : all) sum += w.p = std::exp(w.p - largest);
        for (Weight& w : all) w.p /= sum;
        if (log_sum) *log_sum = all.empty() ? infinity : largest + std::log(sum);
        return all;
    }

    void forward(int64_t i, Matrix<T> y, T* log_sum = nullptr) const {
        for (int64_t d = 0; d < v.columns; ++d) y(i, d) = 0;
        for (const Weight& w : weights(i, log_sum))
            for (int64_t d = 0; d < v.columns; ++d) y(i, d) += w.p * w.dropout * v(w.key, d);
    }

    // Adds to dq, dk and dv.
    void backward(int64_t i, Matrix<const T> g, Matrix<T> dq, Matrix<T> dk, Matrix<T> dv) const {
        const std::vector<Weight> all = weights(i);
        std::vector<T> dp(all.size(), 0);
        T delta = 0;  // Σ p dp
        for (std::size_t n = 0; n < all.size(); ++n) {
            const auto [j, p, m] = all[n];
            for (int64_t d = 0; d < v.columns; ++d) {
                dv(j, d) += p * m * g(i, d);
                dp[n] += m * g(i, d) * v(j, d);
            }
            delta += p * dp[n];
        }
        for (std::size_t n = 0; n < all.size(); ++n) {
            const int64_t j = all[n].key;
            const T ds = scale * all[n].p * (dp[n] - delta);
            for (int64_t d = 0; d < q.columns; ++d) {
                dq(i, d) += ds * k(j, d);
                dk(j, d) += ds * q(i, d);
            }
        }
    }
};

// As C++20 has it by itself; Clang has it from 17 on.
template <class T, class Pair>
PlainHead(Matrix<const T>, Matrix<const T>, Matrix<const T>, T, Pair) -> PlainHead<T, Pair>;

}  // namespace heed
