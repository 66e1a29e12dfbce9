// Multi-head self-attention (Vaswani et al. 2017, section 3.2.3) with positions and with a cache.
// The cache holds keys and values of earlier tokens, so that a new token costs one query instead of
// a pass over the whole sequence (Shazeer 2019, section 2.4).
//
//     SelfAttention attention({.width = 64, .heads = 4}, {.kind = PositionKind::rotary}, rng);
//     Tensor y = attention(x, {.causal = true});                      // [B, T, 64], all at once
//     KeyValueCache cache;                                            // or one token at a time:
//     for (const Tensor& token : tokens) attention(token, {.causal = true, .cache = &cache});
//
// Both give the same numbers, since causal outputs do not depend on later tokens.
#pragma once

#include "attention/heads/multi_head.h"
#include "attention/heads/positions.h"

namespace heed {

struct SelfAttention {
    MultiHead multi_head;
    RelativePositions positions;

    SelfAttention() = default;
    // Width and heads of the positions are taken from `options`.
    SelfAttention(const MultiHeadOptions& options, PositionOptions position_options, Rng& rng);
    template <class F>
    void visit(F&& f) {
        multi_head.visit(f);
        positions.visit(f);
    }

    // x [B, T, D] -> [B, T, D]. With a cache, x are the newest T of K tokens; their keys and values are
    // appended to it. Throws for a cache of another batch size. Values for hooks: those of MultiHead.
    Tensor operator()(const Tensor& x, const AttentionCall& call = {}) const;
};

// The keys and values of x [B, K, D] for cross-attention, which has no positions. What the mask, as in
// AttentionCall, hides from all queries is not read.
KeyValue keys_and_values(const MultiHead& attention, const Tensor& x, const Tensor& mask = {});

}  // namespace heed
