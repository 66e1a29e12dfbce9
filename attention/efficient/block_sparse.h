// Scaled dot-product attention along a pattern of blocks (Beltagy, Peters, Cohan 2020, "Longformer";
// Zaheer et al. 2020, "BigBird"): only the blocks of keys are visited that the pattern names for a
// block of queries, so time and bytes are linear in the length where those of exact attention are
// quadratic in time.
//
//     attention(q, k, v) = softmax(scale q kᵀ over the keys that the pattern allows) v
//
//     const BlockPattern pattern(q.size(2), {.before = 128, .causal = true});
//     Tensor context = block_sparse_attention(q, k, v, pattern);      // [B, H, T, D']
//
// It is not an approximation: the result is that of exact attention under the dense mask
// pattern.mask(), to rounding. block_sparse_definition() computes it so, and is the route to second
// derivatives. Global positions use the same projections as the others, as in BigBird (Longformer has
// a second set of projections for them). Dropout of weights is left out.
#pragma once

#include "attention/efficient/block_pattern.h"
#include "attention/scores/soft.h"

namespace heed {

struct BlockSparseOptions {
    Tensor mask = {};  // 1 = may attend, 0 = may not; broadcast to [B, H, T, T]; or not defined
    double scale = 0;  // of the scores; 0: 1 / √D
};

// q [B, H, T, D], k [B, H, T, D], v [B, H, T, D'] -> [B, H, T, D']. A padding mask is [B, 1, 1, T].
// A query without an allowed key has the context 0. A key that is not allowed is not read,
// whatever it holds. The bits do not depend on the number of threads.
// Throws when sizes do not fit, when the pattern was made for another length, and when the mask does
// not broadcast.
Tensor block_sparse_attention(const Tensor& q, const Tensor& k, const Tensor& v,
                              const BlockPattern& pattern, const BlockSparseOptions& options = {});

// The same with the dense mask, and the weights [B, H, T, T].
AttentionOutput block_sparse_definition(const Tensor& q, const Tensor& k, const Tensor& v,
                                        const BlockPattern& pattern,
                                        const BlockSparseOptions& options = {});

}  // namespace heed
