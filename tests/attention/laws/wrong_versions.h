// Common mistakes in attention. Every version here runs and trains to some degree. Each violates a
// law, as test_laws.cpp shows.
#pragma once

#include <cmath>
#include <limits>

#include "attention/laws/laws.h"
#include "attention/scores/mask.h"
#include "autograd/autograd.h"

namespace heed::wrong {

using Attend = AttentionFunction;

inline Tensor scaled(const Tensor& q, const Tensor& k) {
    return matmul(q, transpose(k)) / std::sqrt(static_cast<double>(q.size(-1)));
}
inline Tensor all_ones_unless(const Tensor& mask, const Tensor& scores) {
    return mask.defined() ? mask : ones({1, 1, scores.size(-1)}, scores.dtype());
}

// Softmax over axis 1, though the keys are the last axis.
inline const Attend softmax_over_the_queries = [](const Tensor& q, const Tensor& k, const Tensor& v,
                                                  const Tensor& mask) -> AttentionOutput {
    const Tensor scores = scaled(q, k);
    const Tensor weights = masked_softmax(scores, all_ones_unless(mask, scores), -2);
    return {matmul(weights, v), weights};
};

// The mask inverted: 1 excludes a key.
inline const Attend mask_inverted = [](const Tensor& q, const Tensor& k, const Tensor& v,
                                       const Tensor& mask) {
    return soft_attention(scaled(q, k), v, mask.defined() ? 1 - mask : mask);
};

// Masking by a penalty that is added before the scale and is not large enough.
inline const Attend mask_too_small = [](const Tensor& q, const Tensor& k, const Tensor& v,
                                        const Tensor& mask) {
    Tensor scores = matmul(q, transpose(k));
    if (mask.defined()) scores = scores + (mask - 1) * 10;
    return soft_attention(scores / std::sqrt(static_cast<double>(q.size(-1))), v);
};

// Masking by -infinity: in a row without allowed keys softmax is 0 / 0.
inline const Attend nothing_allowed_is_nan = [](const Tensor& q, const Tensor& k, const Tensor& v,
                                                const Tensor& mask) {
    const double infinity = std::numeric_limits<double>::infinity();
    Tensor scores = scaled(q, k);
    if (mask.defined()) scores = masked_fill(scores, 1 - mask, -infinity);
    return soft_attention(scores, v);
};

inline const Attend not_normalised_after_masking =
    [](const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& mask) -> AttentionOutput {
    const Tensor scores = scaled(q, k);
    const Tensor weights = softmax(scores) * all_ones_unless(mask, scores);
    return {matmul(weights, v), weights};
};

// Masked after softmax and normalised again: right in exact arithmetic, but the padding affects the
// rounding of the exponentials, and it gets some gradient.
inline const Attend masked_after_the_softmax = [](const Tensor& q, const Tensor& k, const Tensor& v,
                                                  const Tensor& mask) -> AttentionOutput {
    const Tensor scores = scaled(q, k);
    const Tensor kept = softmax(scores) * all_ones_unless(mask, scores);
    const Tensor weights = kept / (sum(kept, -1, true) + 1e-300);
    return {matmul(weights, v), weights};
};

// Adds a mean over all values, with padding, that cancels in the value but not in the gradient.
inline const Attend gradient_through_padding = [](const Tensor& q, const Tensor& k, const Tensor& v,
                                                  const Tensor& mask) -> AttentionOutput {
    auto [context, weights] = soft_attention(scaled(q, k), v, mask);
    return {context + mean(v - detach(v), 1, true), weights};
};

// j <= i + 1, or j < i, instead of j <= i.
inline Attend causal_shifted_by(int64_t positions) {
    return [=](const Tensor& q, const Tensor& k, const Tensor& v, const Tensor&) {
        const int64_t n = k.size(1);
        const Tensor i = reshape(arange(n, q.dtype()), {n, 1}), j = arange(n, q.dtype());
        return soft_attention(scaled(q, k), v, j <= i + static_cast<double>(positions));
    };
}
inline const Attend causal_sees_one_ahead = causal_shifted_by(1);
inline const Attend causal_misses_itself = causal_shifted_by(-1);

// The keys are permuted, the values are not.
inline const Attend values_in_another_order = [](const Tensor& q, const Tensor& k, const Tensor& v,
                                                 const Tensor& mask) {
    return soft_attention(scaled(q, k), flip(v, 1), mask);
};

// The scores depend on the query only.
inline const Attend never_looks_at_the_keys = [](const Tensor& q, const Tensor& k, const Tensor& v,
                                                 const Tensor& mask) {
    const Tensor shape_of_scores = zeros({q.size(0), q.size(1), k.size(1)}, q.dtype());
    return soft_attention(shape_of_scores + sum(q, -1, true), v, mask);
};

// A preference for late positions.
inline const Attend prefers_the_end = [](const Tensor& q, const Tensor& k, const Tensor& v,
                                         const Tensor& mask) {
    return soft_attention(scaled(q, k) + arange(k.size(1), q.dtype()) * 0.1, v, mask);
};

inline const Attend scale_missing = [](const Tensor& q, const Tensor& k, const Tensor& v,
                                       const Tensor& mask) {
    return soft_attention(matmul(q, transpose(k)), v, mask);
};

// Bounded scores: the weights cannot become one-hot.
inline const Attend squashed_scores = [](const Tensor& q, const Tensor& k, const Tensor& v,
                                         const Tensor& mask) {
    return soft_attention(tanh(scaled(q, k)), v, mask);
};

inline const Attend softmax_twice = [](const Tensor& q, const Tensor& k, const Tensor& v,
                                       const Tensor& mask) {
    return soft_attention(attention_weights(scaled(q, k), mask), v, mask);
};

// The mean of the keys over the batch is subtracted.
inline const Attend batch_leak = [](const Tensor& q, const Tensor& k, const Tensor& v,
                                    const Tensor& mask) {
    return soft_attention(scaled(q, k - mean(k, 0, true)), v, mask);
};

// The weights are detached from the graph.
inline const Attend detached_weights = [](const Tensor& q, const Tensor& k, const Tensor& v,
                                          const Tensor& mask) -> AttentionOutput {
    const Tensor weights = detach(soft_attention(scaled(q, k), v, mask).weights);
    return {matmul(weights, v), weights};
};

// A learned projection of the query, detached.
struct DetachedParameter {
    Tensor query, key;  // [D, D]
    AttentionOutput operator()(const Tensor& q, const Tensor& k, const Tensor& v,
                               const Tensor& mask) const {
        return soft_attention(scaled(matmul(q, detach(query)), matmul(k, key)), v, mask);
    }
};

}  // namespace heed::wrong
