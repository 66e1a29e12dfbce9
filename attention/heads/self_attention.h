// Multi-head self-attention (Vaswani et al. 2017, section 3.2.3) that knows positions and can
// remember: the keys and values of earlier tokens are kept, so that a new token costs one query
// instead of the whole sequence (Shazeer 2019, section 2.4).
//
//     SelfAttention attention({.width = 64, .heads = 4}, {.kind = PositionKind::rotary}, rng);
//     Tensor y = attention(x, {.causal = true}).context;              // [B, T, 64], all at once
//     KeyValue cache;                                                 // or one by one:
//     for (const Tensor& token : tokens) attention(token, {.causal = true}, &cache);
//
// Both give the same numbers: of a causal sequence, the past never changes.
#pragma once

#include "attention/heads/multi_head.h"
#include "attention/heads/positions.h"

namespace heed {

// Keys and values split into heads, positions applied; not defined as long as there are none.
struct KeyValue {
    Tensor key, value;  // [B, H, T, D / H]
};

struct SelfAttention {
    MultiHead multi_head;
    RelativePositions positions;

    SelfAttention() = default;
    // Width and heads of `where` are taken from `options`.
    SelfAttention(const MultiHeadOptions& options, PositionOptions where, Rng& rng);
    template <class F>
    void visit(F&& f) {
        multi_head.visit(f);
        positions.visit(f);
    }

    // x [B, T, D] -> context [B, T, D], weights [B, H, T, K]. With a cache x are the newest T of K
    // tokens; their keys and values are added to it.
    AttentionOutput operator()(const Tensor& x, const MultiHeadCall& call = {},
                        KeyValue* cache = nullptr) const;
};

// The keys and values of a sequence for cross-attention, which knows no positions.
KeyValue keys_and_values(const MultiHead& attention, const Tensor& memory);

}  // namespace heed
