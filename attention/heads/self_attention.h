// Multi-head self-attention (Vaswani et al. 2017, section 3.2.3) with positions and with a cache.
// The cache holds keys and values of earlier tokens, so that a new token costs one query instead of
// a pass over the whole sequence (Shazeer 2019, section 2.4).
//
//     SelfAttention attention({.width = 64, .heads = 4}, {.kind = PositionKind::rotary}, rng);
//     Tensor y = attention(x, {.causal = true}).context;              // [B, T, 64], all at once
//     KeyValue cache;                                                 // or one token at a time:
//     for (const Tensor& token : tokens) attention(token, {.causal = true}, &cache);
//
// Both give the same numbers, since causal outputs do not depend on later tokens.
#pragma once

#include "attention/heads/multi_head.h"
#include "attention/heads/positions.h"

namespace heed {

// Keys and values split into heads, keys rotated; not defined before the first token.
struct KeyValue {
    Tensor key, value;  // [B, H, T, D / H]
};

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

    // x [B, T, D] -> context [B, T, D], weights [B, H, T, K]. With a cache, x are the newest T of K
    // tokens; their keys and values are appended to it. Throws for a cache of another batch size.
    AttentionOutput operator()(const Tensor& x, const MultiHeadCall& call = {},
                               KeyValue* cache = nullptr) const;
};

// The keys and values of x [B, K, D] for cross-attention, which has no positions. What the mask, as in
// MultiHeadCall, hides from all queries is not read.
KeyValue keys_and_values(const MultiHead& attention, const Tensor& x, const Tensor& mask = {});

}  // namespace heed
