// Attention as it is often got wrong. Every version here runs, trains after a fashion, and breaks
// one law, which test_laws.cpp shows to catch it.
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

// 1 taken for "hide this".
inline const Attend mask_inverted = [](const Tensor& q, const Tensor& k, const Tensor& v,
                                       const Tensor& mask) {
    return soft_attention(scaled(q, k), v, mask.defined() ? 1 - mask : mask);
};

// A penalty added before the scale, and not large enough.
inline const Attend mask_too_small = [](const Tensor& q, const Tensor& k, const Tensor& v,
                                        const Tensor& mask) {
    Tensor scores = matmul(q, transpose(k));
    if (mask.defined()) scores = scores + (mask - 1) * 10;
    return soft_attention(scores / std::sqrt(static_cast<double>(q.size(-1))), v);
};

// -infinity everywhere is 0 / 0.
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

// Normalised afterwards: right in exact arithmetic, but what padding holds still decides how the
// exponentials are rounded, and some gradient comes back.
inline const Attend masked_after_the_softmax = [](const Tensor& q, const Tensor& k, const Tensor& v,
                                                  const Tensor& mask) -> AttentionOutput {
    const Tensor scores = scaled(q, k);
    const Tensor kept = softmax(scores) * all_ones_unless(mask, scores);
    const Tensor weights = kept / (sum(kept, -1, true) + 1e-300);
    return {matmul(weights, v), weights};
};

// A mean over all values, padding among them, whose value cancels and whose gradient does not.
inline const Attend gradient_through_padding = [](const Tensor& q, const Tensor& k, const Tensor& v,
                                                  const Tensor& mask) -> AttentionOutput {
    auto [context, weights] = soft_attention(scaled(q, k), v, mask);
    return {context + mean(v - detach(v), 1, true), weights};
};

// j <= i + 1 for j <= i, and j < i.
inline Attend causal_shifted_by(int64_t positions) {
    return [=](const Tensor& q, const Tensor& k, const Tensor& v, const Tensor&) {
        const int64_t n = k.size(1);
        const Tensor i = reshape(arange(n, q.dtype()), {n, 1}), j = arange(n, q.dtype());
        return soft_attention(scaled(q, k), v, j <= i + static_cast<double>(positions));
    };
}
inline const Attend causal_sees_one_ahead = causal_shifted_by(1);
inline const Attend causal_misses_itself = causal_shifted_by(-1);

// The keys were put in another order, the values left as they were.
inline const Attend values_in_another_order = [](const Tensor& q, const Tensor& k, const Tensor& v,
                                                 const Tensor& mask) {
    return soft_attention(scaled(q, k), flip(v, 1), mask);
};

// The scores come from the query alone.
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

// Scores that cannot grow cannot choose.
inline const Attend squashed_scores = [](const Tensor& q, const Tensor& k, const Tensor& v,
                                         const Tensor& mask) {
    return soft_attention(tanh(scaled(q, k)), v, mask);
};

inline const Attend softmax_twice = [](const Tensor& q, const Tensor& k, const Tensor& v,
                                       const Tensor& mask) {
    return soft_attention(attention_weights(scaled(q, k), mask), v, mask);
};

// Keys centred with a mean over the batch.
inline const Attend batch_leak = [](const Tensor& q, const Tensor& k, const Tensor& v,
                                    const Tensor& mask) {
    return soft_attention(scaled(q, k - mean(k, 0, true)), v, mask);
};

// The weights cut off from the graph.
inline const Attend detached_weights = [](const Tensor& q, const Tensor& k, const Tensor& v,
                                          const Tensor& mask) -> AttentionOutput {
    const Tensor weights = detach(soft_attention(scaled(q, k), v, mask).weights);
    return {matmul(weights, v), weights};
};

// A learned projection of the query, cut off.
struct DetachedParameter {
    Tensor query, key;  // [D, D]
    AttentionOutput operator()(const Tensor& q, const Tensor& k, const Tensor& v,
                               const Tensor& mask) const {
        return soft_attention(scaled(matmul(q, detach(query)), matmul(k, key)), v, mask);
    }
};

}  // namespace heed::wrong
