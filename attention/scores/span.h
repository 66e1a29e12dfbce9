// Global and local attention: which positions of the source a query attends to (Luong, Pham,
// Manning 2015, section 3.2).
//
//     global    all positions
//     local_m   the window t - D .. t + D, t the position of the query in its own sequence (the
//               alignment is taken to be monotonic)
//     local_p   the window p - D .. p + D about a predicted centre p, with Gaussian weights:
//               p = S σ(vᵀ tanh(W q))       α'ⱼ = αⱼ exp(-(j - p)² / 2σ²), σ = D / 2
//
// S is the length of the source without padding, D is half_window. α is the softmax over the
// window. As in the paper α' is not normalised again, so the weights of local_p sum to at most 1.
// Sliding windows for self-attention and causality are masks: mask.h.
//
//     AttentionSpan span(SpanKind::local_p, {.half_window = 2, .query = 64}, rng);
//     Tensor weights = span.weights(scores, query, mask);        // [B, Q, K]
#pragma once

#include <vector>

#include "nn/layers/layers.h"

namespace heed {

enum class SpanKind { global, local_m, local_p };
const char* name_of(SpanKind kind);

struct SpanOptions {
    int64_t half_window = 10;  // D
    int64_t query = 0;         // the width of the queries; local_p only
};

struct AttentionSpan {
    SpanKind kind = SpanKind::global;
    int64_t half_window = 0;
    Linear hidden;  // W [Dq, Dq], local_p
    Tensor v;       // [1, Dq], local_p

    AttentionSpan() = default;  // global
    // Throws unless half_window is at least 1, and for local_p the width of the queries.
    AttentionSpan(SpanKind kind, const SpanOptions& sizes, Rng& rng);
    template <class F>
    void visit(F&& f) {
        f("hidden", hidden);
        f("v", v);
    }

    // The weights [B, Q, K] for scores [B, Q, K] of queries [B, Q, Dq], the first of which is at
    // first_position of its sequence. The mask broadcasts to the scores, or is not defined.
    Tensor weights(const Tensor& scores, const Tensor& query, const Tensor& mask = {},
                   Integer first_position = 0) const;

    // The predicted centres p [B, Q, 1] of local_p.
    Tensor centre(const Tensor& query, const Tensor& mask, Integer keys) const;
};

}  // namespace heed
