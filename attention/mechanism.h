// An attention mechanism: a score and an extent, over a memory (Luong et al. 2015, section 3).
//
//     Attention attention{Score(ScoreKind::general, {.query = 64, .key = 128}, rng), {}};
//     Memory memory = attention.prepare(states, states, padding_mask(lengths, states.size(1)));
//     auto [context, weights] = attention(query, memory);     // [B, Q, 128], [B, Q, K]
//
// What the encoder-decoder models read their source with, whichever score and extent.
#pragma once

#include "attention/extent.h"
#include "attention/score.h"
#include "attention/soft.h"

namespace heed {

// What is attended to, made ready once.
struct Memory {
    Tensor key;    // [B, K, whatever the score prepares]
    Tensor value;  // [B, K, D]
    Tensor mask;   // [B, 1, K], or not defined
};

struct Attention {
    Score score;
    Extent extent;

    template <class F>
    void visit(F&& f) {
        f("score", score);
        f("extent", extent);
    }

    // Throws when key [B, K, Dk] and value [B, K, D] differ in B or K.
    Memory prepare(const Tensor& key, const Tensor& value, const Tensor& mask = {}) const;

    // query [B, Q, Dq], the first of which stands at `first_place` of its sequence (for local_m).
    Tensor weights(const Tensor& query, const Memory& memory, int64_t first_place = 0) const;
    Attended operator()(const Tensor& query, const Memory& memory, int64_t first_place = 0) const;
};

}  // namespace heed
