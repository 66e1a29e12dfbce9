//! # Grouped queries
//!
//! Write the attention of lesson {modern_block} for a batch. The projections have been made already:
//! the queries have $H$ heads of width $W$ side by side, keys and values have $G$ heads of the same
//! width, and $G$ divides $H$.
//!
//! 1. `my_grouped(q, k, v, H)` returns the contexts of all heads side by side, and their weights.
//!    Head $h$ of the queries reads head $\lfloor h \, G / H \rfloor$ of keys and values. There is no
//!    mask.
//! 2. `my_cache_bytes(layers, width, heads, groups, bytes)` returns how many bytes the cache needs for
//!    one token. `width` is that of the model, $H W$, and `bytes` that of a number.
//!
//! With $H = 4$ and $G = 2$, heads 0 and 1 share keys and values, and so do heads 2 and 3. And
//! Llama 2 70B, with 80 layers, width 8192, 64 heads, 8 groups and 2 bytes for a number, needs 327,680
//! bytes.
//!
//! You have `reshape`, `transpose`, `slice`, `expand`, `unsqueeze`, `matmul`, `softmax`. The library's
//! attention is not allowed.
//!
//! Builds on exercise {heads.1}.
//!
//! Level 2 of 3, about 15 minutes.
#include <cmath>

#include "lessons/course/exercise/write.h"

// q [B, Q, H W], k and v [B, K, G W] -> .context [B, Q, H W], .weights [B, H, Q, K]
AttentionOutput my_grouped(const Tensor& q, const Tensor& k, const Tensor& v, int64_t H) {
    not_written();
}

int64_t my_cache_bytes(int64_t layers, int64_t width, int64_t heads, int64_t groups,
                       int64_t bytes) {
    not_written();
}
