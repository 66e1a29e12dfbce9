// An attention mechanism: a score and a span (Luong et al. 2015, section 3).
//
//     Attention attention{AttentionScore(ScoreKind::general, {.query = 64, .key = 128}, rng), {}};
//     PreparedKeys keys = attention.prepare(states, states, padding_mask(lengths, states.size(1)));
//     auto [context, weights] = attention(query, keys);     // [B, Q, 128], [B, Q, K]
//
// The recurrent encoder-decoder models attend to their source with it.
#pragma once

#include "attention/scores/score.h"
#include "attention/scores/soft.h"
#include "attention/scores/span.h"

namespace heed {

// Keys and values, prepared once for many queries.
struct PreparedKeys {
    Tensor key;    // [B, K, ...], what AttentionScore::prepare() returns
    Tensor value;  // [B, K, D]
    Tensor mask;   // [B, 1, K], or not defined
};

struct Attention {
    AttentionScore score;
    AttentionSpan span;

    template <class F>
    void visit(F&& f) {
        f("score", score);
        f("span", span);
    }

    // Throws when key [B, K, Dk] and value [B, K, D] differ in B or K.
    PreparedKeys prepare(const Tensor& key, const Tensor& value, const Tensor& mask = {}) const;

    // query [B, Q, Dq], the first of which is at first_position of its sequence (for local_m) ->
    // weights [B, Q, K], context [B, Q, D].
    Tensor weights(const Tensor& query, const PreparedKeys& keys, Integer first_position = 0) const;
    AttentionOutput operator()(const Tensor& query, const PreparedKeys& keys,
                               Integer first_position = 0) const;
};

}  // namespace heed
