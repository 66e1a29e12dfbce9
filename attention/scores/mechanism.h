// An attention mechanism: a score and an span, over a memory (Luong et al. 2015, section 3).
//
//     Attention attention{Score(ScoreKind::general, {.query = 64, .key = 128}, rng), {}};
//     PreparedKeys memory = attention.prepare(states, states, padding_mask(lengths, states.size(1)));
//     auto [context, weights] = attention(query, memory);     // [B, Q, 128], [B, Q, K]
//
// What the encoder-decoder models read their source with, whichever score and span.
#pragma once

#include "attention/scores/score.h"
#include "attention/scores/soft.h"
#include "attention/scores/span.h"

namespace heed {

// What is attended to, made ready once.
struct PreparedKeys {
    Tensor key;    // [B, K, whatever the score prepares]
    Tensor value;  // [B, K, D]
    Tensor mask;   // [B, 1, K], or not defined
};

struct Attention {
    Score score;
    AttentionSpan span;

    template <class F>
    void visit(F&& f) {
        f("score", score);
        f("span", span);
    }

    // Throws when key [B, K, Dk] and value [B, K, D] differ in B or K.
    PreparedKeys prepare(const Tensor& key, const Tensor& value, const Tensor& mask = {}) const;

    // query [B, Q, Dq], the first of which stands at `first_position` of its sequence (for local_m).
    Tensor weights(const Tensor& query, const PreparedKeys& memory, int64_t first_position = 0) const;
    AttentionOutput operator()(const Tensor& query, const PreparedKeys& memory, int64_t first_position = 0) const;
};

}  // namespace heed
