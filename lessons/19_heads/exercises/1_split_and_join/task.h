//! # Heads from one matrix, and back
//!
//! Multi-head attention makes the queries of all heads with one product. The result has the shape
//! $[B, T, D]$: $B$ sequences of $T$ tokens with $D$ numbers each. Head 0 owns the first $D / H$ of
//! these numbers, head 1 the next $D / H$, and so on. Attention wants the heads apart, as
//! $[B, H, T, D / H]$, so that one batched product serves all of them.
//!
//! 1. `my_split_heads(x, H)` turns $[B, T, D]$ into $[B, H, T, D / H]$.
//! 2. `my_join_heads(x)` is the way back, from $[B, H, T, D / H]$ to $[B, T, D]$.
//!
//! One sequence of two tokens, (1, 2, 3, 4) and (5, 6, 7, 8), and two heads: head 0 gets (1, 2) and
//! (5, 6), head 1 gets (3, 4) and (7, 8).
//!
//! You have `reshape(x, shape)`, which keeps the order of the numbers in memory, and
//! `transpose(x, i, j)`, which exchanges two axes. One reshape alone has the right shape and the
//! wrong numbers: it mixes tokens with heads, and a model with it still trains.
//!
//! Level 2 of 3, about 10 minutes.
#include "lessons/course/exercise/write.h"

Tensor my_split_heads(const Tensor& x, int64_t H) {  // [B, T, D] -> [B, H, T, D / H]
    not_written();
}

Tensor my_join_heads(const Tensor& x) {  // [B, H, T, D / H] -> [B, T, D]
    not_written();
}
