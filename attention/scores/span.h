// AttentionSpan: which part of the source a query attends to.
//
//     global    all of it
//     local_m   the places t - D .. t + D about the query's own place t, taking alignment as
//               monotone
//     local_p   the places about a predicted centre p, weighed by a Gaussian:
//               p = S σ(vᵀ tanh(W q))       α'ⱼ = αⱼ exp(-(j - p)² / 2σ²), σ = D / 2
//
// (Luong, Pham, Manning 2015, section 3.2.) S is the length of the sentence without padding, D the
// reach. α is the softmax over the window only. As in the paper α' is not normalised again: the
// weights of local_p add up to at most 1. Sliding windows and causality, which are fixed, are
// masks: mask.h.
//
//     AttentionSpan span(SpanKind::local_p, {.reach = 2, .query = 64}, rng);
//     Tensor weights = span.weights(scores, query, mask);        // [B, Q, K]
#pragma once

#include <vector>

#include "nn/layers/layers.h"

namespace heed {

enum class SpanKind { global, local_m, local_p };
const char* name_of(SpanKind kind);

struct SpanOptions {
    int64_t reach = 10;  // D
    int64_t query = 0;   // the width of the queries; local_p only
};

struct AttentionSpan {
    SpanKind kind = SpanKind::global;
    int64_t reach = 0;
    Linear hidden;  // W [Dq, Dq], local_p
    Tensor v;       // [1, Dq], local_p

    AttentionSpan() = default;  // global
    AttentionSpan(SpanKind kind, const SpanOptions& sizes, Rng& rng);
    template <class F>
    void visit(F&& f) {
        f("hidden", hidden);
        f("v", v);
    }

    // The weights [B, Q, K] for scores [B, Q, K] of queries [B, Q, Dq], the first of which stands
    // at `first_position` of its sequence. mask [B, 1, K] or broadcast to the scores, or not defined.
    Tensor weights(const Tensor& scores, const Tensor& query, const Tensor& mask = {},
                   int64_t first_position = 0) const;

    // The predicted centres p [B, Q, 1] of local_p.
    Tensor centre(const Tensor& query, const Tensor& mask, int64_t keys) const;
};

}  // namespace heed
