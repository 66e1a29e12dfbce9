//! # Heads mixed by a reshape
//!
//! *Find the bug.* The function below is multi-head attention. Shapes fit everywhere, all weights
//! of a query sum to 1, and a network with it trains. But its tokens do not read each other as they
//! should.
//!
//! The split into heads should give head $h$ a piece of *every* token. Here `reshape` alone makes
//! `[B, H, T, D / H]` of `[B, T, D]`. Write down the numbers of four tokens of width 2, split in
//! this way into two heads: which tokens are in head 0?
//!
//! 1. `my_reach(T, H)`: how many tokens influence the output of the *first* token in the broken
//!    version, its own included? $H$ divides $T$.
//! 2. Mend `my_attention`, so that each token reads all others with every head.
//!
//! You have `reshape`, `transpose`, `permute`.
//!
//! Builds on exercise {heads.1}.
//!
//! Level 2 of 3, about 10 minutes.
#include <cmath>

#include "lessons/course/exercise/write.h"

double my_reach(int64_t T, int64_t H) { not_written(); }

// q, k, v [B, T, D] -> [B, T, D]
Tensor my_attention(const Tensor& q, const Tensor& k, const Tensor& v, int64_t H) {
    const int64_t B = q.size(0), T = q.size(1), D = q.size(2), W = D / H;
    const auto split = [&](const Tensor& x) { return reshape(x, {B, H, T, W}); };
    const Tensor scores = matmul(split(q), transpose(split(k))) / std::sqrt(static_cast<double>(W));
    const Tensor contexts = matmul(softmax(scores, -1), split(v));  // [B, H, T, W]
    return reshape(contexts, {B, T, D});
}
