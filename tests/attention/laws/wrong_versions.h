// Common mistakes in attention. Every version here runs and trains to some degree. Each violates a
// law: test_wrong_versions.cpp shows which. A right version stands above the mistakes made in it.
//
//     one head     scores q W kᵀ with a matrix W: no law knows what its scores ought to be
//     two heads    scaled dot products of two heads, whose projections are the identity
//     grouped      four heads of queries that share two of keys and values, without projections
//     projected    the same with projections of query, key, value and context
//     causal, windowed    one head that hides the future, or all but a window, by itself
//     state, delta        one head of linear attention as a recurrence
#pragma once

#include <cmath>
#include <functional>
#include <limits>
#include <memory>

#include "attention/fused/scaled_dot_product.h"
#include "attention/scores/mask.h"
#include "autograd/autograd.h"
#include "tests/attention/laws/subject.h"

namespace heed::wrong {

using Attend = AttentionFunction;
using T = const Tensor&;
using Out = AttentionOutput;

inline constexpr double minus_infinity = -std::numeric_limits<double>::infinity();

inline Tensor scaled(T q, T k) {
    return matmul(q, transpose(k)) / std::sqrt(static_cast<double>(q.size(-1)));
}
inline Tensor all_ones_unless(T mask, T scores) {
    return mask.defined() ? mask : ones({1, 1, scores.size(-1)}, scores.dtype());
}
inline Tensor random_matrix(int64_t rows, int64_t columns, uint64_t seed) {
    Rng rng(seed);
    return normal({rows, columns}, 0, 0.6, rng, Dtype::float64).set_requires_grad();
}

// --- one head -----------------------------------------------------------------------------------

inline const Tensor& W() {
    static const Tensor w = random_matrix(4, 4, 21);
    return w;
}
inline Tensor score(T q, T k) { return matmul(matmul(q, W()), transpose(k)); }
inline Tensor weigh(T q, T k, T mask) { return attention_weights(score(q, k), mask); }

inline Out one_head(T q, T k, T v, T mask) { return soft_attention(score(q, k), v, mask); }

// The weights are right, the context does not use them.
inline Out mean_of_the_values(T q, T k, T v, T mask) {
    const Tensor weights = weigh(q, k, mask), same = all_ones_unless(mask, weights);
    const Tensor average = matmul(same / sum(same, -1, true), v);  // [B, 1 or Q, D']
    return {contiguous(expand(average, {q.size(0), q.size(1), v.size(2)})), weights};
}
inline Out context_of_sharper_weights(T q, T k, T v, T mask) {
    return {matmul(weigh(q * 2, k, mask), v), weigh(q, k, mask)};
}
inline Out context_doubled(T q, T k, T v, T mask) {
    const auto [context, weights] = one_head(q, k, v, mask);
    return {context * 2, weights};
}
// The largest of the weighted values instead of their sum.
inline Out maximum_instead_of_sum(T q, T k, T v, T mask) {
    const Tensor weights = weigh(q, k, mask);
    return {max(unsqueeze(weights, 3) * unsqueeze(v, 1), 2), weights};
}
inline Out query_added_to_the_context(T q, T k, T v, T mask) {
    const auto [context, weights] = one_head(q, k, v, mask);
    return {context + mean(q, -1, true) * 0.1, weights};
}
// Every context belongs to the query before it.
inline Out contexts_rolled(T q, T k, T v, T mask) {
    const auto [context, weights] = one_head(q, k, v, mask);
    return {roll(context, 1, 1), weights};
}
inline Out last_value_column_lost(T q, T k, T v, T mask) {
    const int64_t width = v.size(2);
    return one_head(q, k, pad(slice(v, 2, 0, width - 1), 2, 0, 1), mask);
}
// The keys are permuted, the values are not.
inline Out values_in_another_order(T q, T k, T v, T mask) {
    return one_head(q, k, flip(v, 1), mask);
}
inline Out key_and_value_exchanged(T q, T k, T v, T mask) { return one_head(q, v, k, mask); }
inline Out weights_depend_on_the_values(T q, T k, T v, T mask) {
    return soft_attention(score(q, k) + transpose(mean(v, -1, true)) * 0.1, v, mask);
}

// Queries.
inline Out never_reads_its_query(T q, T k, T v, T mask) {
    return one_head(ones_like(q), k, v, mask);
}
inline Out mean_of_the_queries(T q, T k, T v, T mask) {
    return one_head(q * 0.5 + mean(q, 1, true), k, v, mask);
}
inline Out scores_centred_over_the_queries(T q, T k, T v, T mask) {
    const Tensor scores = score(q, k);
    return soft_attention(scores - mean(scores, 1, true), v, mask);
}
inline Out last_query_element_ignored(T q, T k, T v, T mask) {
    const int64_t width = q.size(2);
    return one_head(pad(slice(q, 2, 0, width - 1), 2, 0, 1), k, v, mask);
}
// The later a query, the flatter its weights.
inline Out temperature_by_query_index(T q, T k, T v, T mask) {
    const Tensor index = reshape(arange(q.size(1), q.dtype()), {q.size(1), 1});
    return soft_attention(score(q, k) / (index + 1), v, mask);
}

// Keys.
inline Out never_looks_at_the_keys(T q, T k, T v, T mask) {
    return soft_attention(zeros({q.size(0), q.size(1), k.size(1)}, q.dtype()) + sum(q, -1, true), v,
                          mask);
}
inline Out last_key_element_ignored(T q, T k, T v, T mask) {
    const int64_t width = k.size(2);
    return one_head(q, pad(slice(k, 2, 0, width - 1), 2, 0, 1), v, mask);
}
// A preference for late positions.
inline Out prefers_the_end(T q, T k, T v, T mask) {
    return soft_attention(score(q, k) + arange(k.size(1), q.dtype()) * 0.1, v, mask);
}
inline Out temperature_by_number_of_keys(T q, T k, T v, T mask) {
    return soft_attention(score(q, k) * std::log(static_cast<double>(k.size(1))), v, mask);
}

// Softmax.
inline Out softmax_over_the_queries(T q, T k, T v, T mask) {
    const Tensor scores = score(q, k);
    const Tensor weights = masked_softmax(scores, all_ones_unless(mask, scores), -2);
    return {matmul(weights, v), weights};
}
// e^s / (1 + Σ e^s): a little weight goes to no key.
inline Out weight_for_nothing(T q, T k, T v, T mask) {
    const Tensor scores = score(q, k), e = exp(scores) * all_ones_unless(mask, scores);
    const Tensor weights = e / (sum(e, -1, true) + 1);
    return {matmul(weights, v), weights};
}
inline Out softmax_without_the_maximum(T q, T k, T v, T mask) {
    const Tensor scores = score(q, k), allowed = all_ones_unless(mask, scores);
    const Tensor e =
        exp(where(contiguous(expand(allowed, scores.shape())), scores, -100.0)) * allowed;
    const Tensor weights = e / (sum(e, -1, true) + 1e-300);
    return {matmul(weights, v), weights};
}
inline Out relu_instead_of_exp(T q, T k, T v, T mask) {
    const Tensor scores = score(q, k);
    const Tensor e = relu(scores) * all_ones_unless(mask, scores);
    const Tensor weights = e / (sum(e, -1, true) + 1e-9);
    return {matmul(weights, v), weights};
}
// Bounded scores: the weights cannot become one-hot.
inline Out squashed_scores(T q, T k, T v, T mask) {
    return soft_attention(tanh(score(q, k)), v, mask);
}
inline Out softmax_twice(T q, T k, T v, T mask) {
    return soft_attention(weigh(q, k, mask), v, mask);
}
inline Out softmax_in_float32(T q, T k, T v, T mask) {
    const Tensor scores = to_dtype(to_dtype(score(q, k), Dtype::float32), Dtype::float64);
    return soft_attention(scores, v, mask);
}
inline Out quantised_weights(T q, T k, T v, T mask) {
    const Tensor exact = weigh(q, k, mask);
    const Tensor weights = exact + detach(round(exact * 256) / 256 - exact);
    return {matmul(weights, v), weights};
}
// The scores are divided by the largest, which is detached.
inline Out detached_normaliser(T q, T k, T v, T mask) {
    const Tensor scores = score(q, k);
    return soft_attention(scores / (max(abs(detach(scores)), -1, true) + 1), v, mask);
}

// Masks.
inline Out mask_inverted(T q, T k, T v, T mask) {
    return one_head(q, k, v, mask.defined() ? 1 - mask : mask);
}
inline Out mask_forgotten(T q, T k, T v, T) { return one_head(q, k, v, {}); }
// A penalty that is not large enough.
inline Out mask_too_small(T q, T k, T v, T mask) {
    Tensor scores = score(q, k);
    if (mask.defined()) scores = scores + (mask - 1) * 10;
    return soft_attention(scores, v);
}
// A penalty so large that the scores beside it are rounded away, in the row without allowed keys.
inline Out mask_by_minus_1e9(T q, T k, T v, T mask) {
    Tensor scores = score(q, k);
    if (mask.defined()) scores = scores + (mask - 1) * 1e9;
    return soft_attention(scores, v);
}
// The same penalty with rows without allowed keys set to 0: right until a masked key is large.
inline Out large_keys_outweigh_the_penalty(T q, T k, T v, T mask) {
    Tensor scores = score(q, k);
    if (!mask.defined()) return soft_attention(scores, v);
    const Tensor weights = softmax(scores + (mask - 1) * 1e9) * max(mask, -1, true);
    return {matmul(weights, v), weights};
}
// A key that is allowed to one query is allowed to all that may attend to any.
inline Out masks_merged_over_the_queries(T q, T k, T v, T mask) {
    if (!mask.defined()) return one_head(q, k, v, mask);
    return one_head(q, k, v, max(mask, 1, true) * max(mask, -1, true));
}
inline Out scores_times_mask(T q, T k, T v, T mask) {
    const Tensor scores = score(q, k);
    return soft_attention(scores * all_ones_unless(mask, scores), v);
}
// In a row without allowed keys softmax is 0 / 0.
inline Out nothing_allowed_is_nan(T q, T k, T v, T mask) {
    Tensor scores = score(q, k);
    if (mask.defined()) scores = masked_fill(scores, 1 - mask, minus_infinity);
    return soft_attention(scores, v);
}
// The same with the NaN replaced afterwards: right forward, NaN backward.
inline Out nan_hidden_forward(T q, T k, T v, T mask) {
    Tensor scores = score(q, k);
    if (!mask.defined()) return soft_attention(scores, v);
    const Tensor allowed = contiguous(expand(mask, scores.shape()));
    scores = scores + log(allowed);  // 0 or minus infinity
    const Tensor e = exp(scores - max(scores, -1, true));
    const Tensor weights = where(allowed, e / sum(e, -1, true), 0.0);
    return {matmul(weights, v), weights};
}
// A query that may attend to nothing gets the mean of all values as its context.
inline Out nothing_allowed_is_the_mean(T q, T k, T v, T mask) {
    const auto [context, weights] = one_head(q, k, v, mask);
    return {context + (1 - sum(weights, -1, true)) * mean(v, 1, true), weights};
}
inline Out not_normalised_after_masking(T q, T k, T v, T mask) {
    const Tensor scores = score(q, k);
    const Tensor weights = softmax(scores) * all_ones_unless(mask, scores);
    return {matmul(weights, v), weights};
}
// Right in exact arithmetic, but the padding affects the rounding of the exponentials, and it gets
// some gradient.
inline Out masked_after_the_softmax(T q, T k, T v, T mask) {
    const Tensor scores = score(q, k);
    const Tensor kept = softmax(scores) * all_ones_unless(mask, scores);
    const Tensor weights = kept / (sum(kept, -1, true) + 1e-300);
    return {matmul(weights, v), weights};
}
inline Out first_key_always_allowed(T q, T k, T v, T mask) {
    if (!mask.defined()) return one_head(q, k, v, mask);
    const Tensor first = arange(k.size(1), q.dtype()) == 0;
    return one_head(q, k, v, logical_or(mask, first));
}
inline Out mask_of_the_first_query(T q, T k, T v, T mask) {
    return one_head(q, k, v, mask.defined() ? slice(mask, 1, 0, 1) : mask);
}
inline Out mask_of_the_first_sequence(T q, T k, T v, T mask) {
    return one_head(q, k, v, mask.defined() ? slice(mask, 0, 0, 1) : mask);
}
// The mean of all values, with padding, is subtracted and the mean of the allowed ones added.
inline Out padding_leaks_by_the_value(T q, T k, T v, T mask) {
    const auto [context, weights] = one_head(q, k, v, mask);
    return {context + mean(v, 1, true) * 1e-3, weights};
}
// Adds a mean over all values, with padding, that cancels in the value but not in the gradient.
inline Out gradient_through_padding(T q, T k, T v, T mask) {
    const auto [context, weights] = one_head(q, k, v, mask);
    return {context + mean(v - detach(v), 1, true), weights};
}

// Gradients.
inline Out query_detached(T q, T k, T v, T mask) { return one_head(detach(q), k, v, mask); }
inline Out key_detached(T q, T k, T v, T mask) { return one_head(q, detach(k), v, mask); }
inline Out value_detached(T q, T k, T v, T mask) { return one_head(q, k, detach(v), mask); }
inline Out weights_detached(T q, T k, T v, T mask) {
    const Tensor weights = detach(weigh(q, k, mask));
    return {matmul(weights, v), weights};
}
inline Out matrix_detached(T q, T k, T v, T mask) {
    return soft_attention(matmul(matmul(q, detach(W())), transpose(k)), v, mask);
}

// Batches, and calls that do not forget.
inline Out keys_centred_over_the_batch(T q, T k, T v, T mask) {
    return one_head(q, k - mean(k, 0, true), v, mask);
}
// The scores are divided by a number that should have been 1 sequence.
inline Out temperature_by_batch_size(T q, T k, T v, T mask) {
    return soft_attention(score(q, k) / static_cast<double>(q.size(0)), v, mask);
}
inline Out weights_of_another_sequence(T q, T k, T v, T mask) {
    return one_head(roll(q, 1, 0), k, v, mask);
}
inline Attend dropout_at_evaluation() {
    return [rng = std::make_shared<Rng>(1)](T q, T k, T v, T mask) -> Out {
        const Tensor weights = weigh(q, k, mask);
        const Tensor kept = bernoulli(weights.shape(), 0.9, *rng, weights.dtype());
        return {matmul(weights * kept / 0.9, v), weights};
    };
}
// A cache of keys that is not emptied between two calls of the same shape.
inline Attend keys_of_the_call_before() {
    return [before = std::make_shared<Tensor>()](T q, T k, T v, T mask) -> Out {
        const bool fits = before->defined() && before->shape() == k.shape();
        const Tensor used = fits ? k * 0.999 + *before * 0.001 : k;
        *before = detach(k);
        return one_head(q, used, v, mask);
    };
}
inline Out query_scaled_in_its_memory(T q, T k, T v, T mask) {
    Tensor mine = q;
    if (!q.requires_grad() && q.is_contiguous()) {
        double* x = mine.edit<double>();
        for (int64_t i = 0; i < q.numel(); ++i) x[i] *= 0.5;
        return one_head(mine, k, v, mask);
    }
    return one_head(q * 0.5, k, v, mask);
}
// Differences below every tolerance, as when threads add up in any order.
inline Attend sums_in_any_order() {
    return [calls = std::make_shared<int>(0)](T q, T k, T v, T mask) -> Out {
        const auto [context, weights] = one_head(q, k, v, mask);
        return {context * (1 + 1e-14 * ((*calls)++ % 2)), weights};
    };
}
inline Out weights_transposed(T q, T k, T v, T mask) {
    const auto [context, weights] = one_head(q, k, v, mask);
    return {context, transpose(weights)};
}

// --- two heads ----------------------------------------------------------------------------------

inline Tensor split(T x) {
    return transpose(reshape(x, {x.size(0), x.size(1), 2, x.size(2) / 2}), 1, 2);
}
inline Tensor join(T x) {
    return reshape(transpose(x, 1, 2), {x.size(0), x.size(2), 2 * x.size(3)});
}
inline Tensor of_heads(T mask) { return mask.defined() ? unsqueeze(mask, 1) : mask; }

inline Out two_heads(T q, T k, T v, T mask) {
    const auto [context, weights] =
        soft_attention(scaled(split(q), split(k)), split(v), of_heads(mask));
    return {join(context), weights};
}
inline Out joined_without_transposing(T q, T k, T v, T mask) {
    const auto [context, weights] =
        soft_attention(scaled(split(q), split(k)), split(v), of_heads(mask));
    return {reshape(context, {q.size(0), q.size(1), v.size(2)}), weights};
}
// reshape [B, T, D] -> [B, H, T, D / H] in one step: the shape is right, the numbers are not.
inline Out split_without_transposing(T q, T k, T v, T mask) {
    const auto cut = [](T x) { return reshape(x, {x.size(0), 2, x.size(1), x.size(2) / 2}); };
    const auto [context, weights] = soft_attention(scaled(cut(q), cut(k)), cut(v), of_heads(mask));
    return {reshape(context, {q.size(0), q.size(1), v.size(2)}), weights};
}
inline Out values_of_the_other_head(T q, T k, T v, T mask) {
    const auto [context, weights] =
        soft_attention(scaled(split(q), split(k)), flip(split(v), 1), of_heads(mask));
    return {join(context), weights};
}
inline Out keys_of_the_other_head(T q, T k, T v, T mask) {
    const auto [context, weights] =
        soft_attention(scaled(split(q), flip(split(k), 1)), split(v), of_heads(mask));
    return {join(context), weights};
}
inline Out heads_joined_in_the_other_order(T q, T k, T v, T mask) {
    const auto [context, weights] =
        soft_attention(scaled(split(q), split(k)), split(v), of_heads(mask));
    return {join(flip(context, 1)), weights};
}
inline Out scores_of_the_first_head_for_all(T q, T k, T v, T mask) {
    const Tensor scores = scaled(split(q), split(k));
    const Tensor first = contiguous(expand(slice(scores, 1, 0, 1), scores.shape()));
    const auto [context, weights] = soft_attention(first, split(v), of_heads(mask));
    return {join(context), weights};
}
inline Out contexts_of_the_mean_weights(T q, T k, T v, T mask) {
    const Tensor weights = attention_weights(scaled(split(q), split(k)), of_heads(mask));
    return {matmul(mean(weights, 1), v), weights};
}
inline Out softmax_over_the_heads(T q, T k, T v, T mask) {
    const Tensor scores = scaled(split(q), split(k));
    const Tensor weights = masked_softmax(scores, all_ones_unless(of_heads(mask), scores), 1);
    return {join(matmul(weights, split(v))), weights};
}
inline Out mask_of_the_first_head_only(T q, T k, T v, T mask) {
    Tensor allowed = of_heads(mask);
    if (mask.defined()) allowed = concat({allowed, ones_like(allowed)}, 1);
    const auto [context, weights] = soft_attention(scaled(split(q), split(k)), split(v), allowed);
    return {join(context), weights};
}
inline Out second_head_detached(T q, T k, T v, T mask) {
    const Tensor scores = scaled(split(q), split(k));
    const Tensor cut = concat({slice(scores, 1, 0, 1), detach(slice(scores, 1, 1, 2))}, 1);
    const auto [context, weights] = soft_attention(cut, split(v), of_heads(mask));
    return {join(context), weights};
}
// The scores times factor(D, D / H) instead of 1 / √(D / H).
inline Attend two_heads_times(double (*factor)(double width, double of_head)) {
    return [=](T q, T k, T v, T mask) -> Out {
        const Tensor a = split(q), b = split(k);
        const double times = factor(static_cast<double>(q.size(2)), static_cast<double>(a.size(3)));
        const auto [context, weights] =
            soft_attention(matmul(a, transpose(b)) * times, split(v), of_heads(mask));
        return {join(context), weights};
    };
}
inline const Attend scale_missing = two_heads_times([](double, double) { return 1.0; });
inline const Attend scaled_by_the_full_width =
    two_heads_times([](double width, double) { return 1 / std::sqrt(width); });
inline const Attend divided_by_the_width =
    two_heads_times([](double, double of_head) { return 1 / of_head; });
inline const Attend sign_flipped =
    two_heads_times([](double, double of_head) { return -1 / std::sqrt(of_head); });
inline const Attend tempered =
    two_heads_times([](double, double of_head) { return 0.5 / std::sqrt(of_head); });

// --- grouped ------------------------------------------------------------------------------------

// x [B, T, D] as [B, D / width, T, width].
inline Tensor heads_of_width(T x, int64_t width) {
    return transpose(reshape(x, {x.size(0), x.size(1), x.size(2) / width, width}), 1, 2);
}
// Four heads of queries. Head h reads head of_key(h, G) of the keys and of_value(h, G) of the values.
inline Attend grouped_by(int64_t (*of_key)(int64_t h, int64_t groups),
                         int64_t (*of_value)(int64_t h, int64_t groups)) {
    return [=](T q, T k, T v, T mask) -> Out {
        const Tensor qs = heads_of_width(q, q.size(2) / 4), ks = heads_of_width(k, qs.size(3));
        const int64_t groups = ks.size(1);
        const Tensor vs = heads_of_width(v, v.size(2) / groups);
        std::vector<Tensor> contexts, weights;
        for (int64_t h = 0; h < 4; ++h) {
            const Tensor scores = scaled(select(qs, 1, h), select(ks, 1, of_key(h, groups)));
            weights.push_back(attention_weights(scores, mask));
            contexts.push_back(matmul(weights[h], select(vs, 1, of_value(h, groups))));
        }
        return {concat(contexts, 2), stack(weights, 1)};
    };
}
inline int64_t group_of(int64_t h, int64_t groups) { return h * groups / 4; }
inline const Attend grouped = grouped_by(group_of, group_of);
// Head after head, as in a deck that is dealt: the published order is that of neighbours.
inline const Attend groups_interleaved =
    grouped_by([](int64_t h, int64_t groups) { return h % groups; },
               [](int64_t h, int64_t groups) { return h % groups; });
inline const Attend one_group_for_all =
    grouped_by([](int64_t, int64_t) -> int64_t { return 0; }, group_of);
inline const Attend values_of_the_next_group = grouped_by(
    group_of, [](int64_t h, int64_t groups) { return (group_of(h, groups) + 1) % groups; });
// The queries of a group are averaged, as the keys of a trained model are when it is converted.
inline Out one_query_for_a_group(T q, T k, T v, T mask) {
    const int64_t width = q.size(2) / 4, sharing = q.size(2) / k.size(2);
    const Tensor in_groups = reshape(q, {q.size(0), q.size(1), 4 / sharing, sharing, width});
    const Tensor averaged = contiguous(expand(mean(in_groups, 3, true), in_groups.shape()));
    return grouped(reshape(averaged, q.shape()), k, v, mask);
}
// Scaled by the width of all heads of keys instead of that of one.
inline Out scaled_by_the_width_of_the_keys(T q, T k, T v, T mask) {
    const double width = static_cast<double>(q.size(2)) / 4;
    return grouped(q * std::sqrt(width / static_cast<double>(k.size(2))), k, v, mask);
}

// --- projected ----------------------------------------------------------------------------------

// Projections [D, D] of query, key, value and context; each mistake is a different `inside`.
struct Projections {
    Tensor query, key, value, output;
    explicit Projections(int64_t width)
        : query(random_matrix(width, width, 35)),
          key(random_matrix(width, width, 32)),
          value(random_matrix(width, width, 33)),
          output(random_matrix(width, width, 34)) {}
};
inline const Projections& projections_of(int64_t width) {
    static std::map<int64_t, Projections> made;
    return made.try_emplace(width, width).first->second;
}
inline Attend projected(const Attend& inside, bool detached_query = false,
                        bool query_as_key = false) {
    return [=](T q, T k, T v, T mask) -> Out {
        const Projections& p = projections_of(q.size(2));
        const double small = 1 / std::sqrt(static_cast<double>(q.size(2)));
        const Tensor query = matmul(q, detached_query ? detach(p.query) : p.query) * small;
        const Tensor key = matmul(k, query_as_key ? p.query : p.key) * small;
        // A value may be narrower than the others.
        const Tensor wide = v.size(2) < q.size(2) ? pad(v, 2, 0, q.size(2) - v.size(2)) : v;
        const auto [context, weights] = inside(query, key, matmul(wide, p.value), mask);
        return {matmul(context, p.output), weights};
    };
}

// --- causal and windowed ------------------------------------------------------------------------

// Query i attends to the keys i - before .. i + after.
inline Attend windowed(int64_t before, int64_t after) {
    return [=](T q, T k, T v, T) {
        const int64_t n = k.size(1);
        const Tensor i = reshape(arange(n, q.dtype()), {n, 1}), j = arange(n, q.dtype());
        return soft_attention(
            score(q, k), v,
            logical_and(j <= i + static_cast<double>(after), j >= i - static_cast<double>(before)));
    };
}
inline Attend causal_shifted_by(int64_t positions) { return windowed(1000, positions); }
inline Attend causal() { return causal_shifted_by(0); }

inline Out causal_inverted(T q, T k, T v, T) {
    return soft_attention(score(q, k), v, transpose(causal_mask(k.size(1), q.dtype())));
}
// The future is removed after the softmax, whose denominator it is still in.
inline Out future_in_the_denominator(T q, T k, T v, T) {
    const Tensor weights = softmax(score(q, k)) * causal_mask(k.size(1), q.dtype());
    return {matmul(weights, v), weights};
}
// The mean of all queries, also of later ones, is added to each.
inline Out future_in_the_queries(T q, T k, T v, T mask) {
    return causal()(q + mean(q, 1, true), k, v, mask);
}
// Earlier queries are added to each: the future stays hidden.
inline Out past_in_the_queries(T q, T k, T v, T mask) {
    return causal()(q + cumsum(q, 1) * 0.5, k, v, mask);
}
// Forward right; backward every value gets gradient from every query.
inline Out future_in_the_gradient(T q, T k, T v, T mask) {
    const auto [context, weights] = causal()(q, k, v, mask);
    return {context + mean(v - detach(v), 1, true), weights};
}
// The values are one position too early.
inline Out values_of_the_next_position(T q, T k, T v, T mask) {
    return causal()(q, k, roll(v, -1, 1), mask);
}

// --- a state ------------------------------------------------------------------------------------

// What a step does: from the state S [B, D, D'] to the next one, and the context read from it.
struct Step {
    Tensor q, k, v;  // [B, 1, .]
    int64_t t = 0;
};
using NextState = std::function<Tensor(const Tensor& state, const Step& step)>;
using ReadState =
    std::function<Tensor(const Tensor& before, const Tensor& after, const Step& step)>;

inline Tensor read_after(T, T after, const Step& step) { return matmul(step.q, after); }

// The context is linear in the values: with the columns of the identity for values it is the weights.
// Features elu(x) + 1 are positive, and so the weights are, but for those of the delta rule.
inline Attend recurrence(const NextState& next, const ReadState& read = read_after) {
    return [=](T query, T key, T v, T) -> Out {
        const Tensor q = elu(query) + 1.0, k = elu(key) + 1.0;
        const auto run = [&](T values) {
            Tensor state = zeros({q.size(0), k.size(2), values.size(2)}, q.dtype());
            std::vector<Tensor> contexts;
            for (int64_t t = 0; t < q.size(1); ++t) {
                const Step step{slice(q, 1, t, t + 1), slice(k, 1, t, t + 1),
                                slice(values, 1, t, t + 1), t};
                const Tensor after = next(state, step);
                contexts.push_back(read(state, after, step));
                state = after;
            }
            return concat(contexts, 1);
        };
        const int64_t n = k.size(1);
        return {run(v), run(contiguous(expand(eye(n, q.dtype()), {q.size(0), n, n})))};
    };
}
inline Tensor written(T k, T v) { return matmul(transpose(k), v); }  // k vᵀ
inline Tensor decayed_sum(T state, const Step& s) { return state * 0.8 + written(s.k, s.v); }
inline Tensor with_difference(T state, const Step& s) {
    return state + written(s.k, 0.5 * (s.v - matmul(s.k, state)));
}

inline Attend state() { return recurrence(decayed_sum); }
inline Attend read_before_written() {
    return recurrence(decayed_sum, [](T before, T, const Step& s) { return matmul(s.q, before); });
}
// All sequences of the batch write to one state.
inline Attend state_of_all_sequences() {
    return recurrence([](T state, const Step& s) {
        return state * 0.8 + expand(mean(written(s.k, s.v), 0, true), state.shape());
    });
}
inline Attend state_detached() {
    return recurrence([](T state, const Step& s) { return decayed_sum(detach(state), s); });
}
// Every query reads the state behind the last step.
inline Out last_state_for_all(T q, T k, T v, T mask) {
    const auto repeated = [&](T x) {
        return contiguous(expand(slice(x, 1, x.size(1) - 1, x.size(1)), x.shape()));
    };
    return state()(repeated(q), k, v, mask);
}
// What is older than two steps is lost: kept too short.
inline Attend state_emptied_every_second_step() {
    return recurrence([](T state, const Step& s) {
        return s.t % 2 == 0 ? written(s.k, s.v) : decayed_sum(state, s);
    });
}

inline Attend delta() { return recurrence(with_difference); }
inline Attend difference_read_by_the_query() {
    return recurrence([](T state, const Step& s) {
        return state + written(s.k, 0.5 * (s.v - matmul(s.q, state)));
    });
}
inline Attend difference_detached() {
    return recurrence([](T state, const Step& s) {
        return state + written(s.k, 0.5 * (s.v - detach(matmul(s.k, state))));
    });
}
// β is computed from the value and not from the key.
inline Attend strength_of_the_value() {
    return recurrence([](T state, const Step& s) {
        const Tensor beta = sigmoid(sum(s.v, -1, true));
        return state + written(s.k, beta * (s.v - matmul(s.k, state)));
    });
}

}  // namespace heed::wrong
