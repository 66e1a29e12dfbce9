//! # Attention with several heads
//!
//! Write the heads of lesson {heads} for a batch. The queries, keys and values have been computed
//! already. They have the width $D$, which $H$ divides.
//!
//! 1. `my_split(x, H)` cuts each token into $H$ pieces of width $D / H$. Head $h$ gets the columns
//!    $h D/H$ to $(h + 1) D/H - 1$ of every token. The result has the shape `[B, H, T, D / H]`, so
//!    that `matmul` computes all heads at once.
//! 2. `my_merge(x)` is the inverse: it puts the pieces of all heads side by side.
//! 3. `my_heads(q, k, v, H)` returns $\mathrm{concat}(C_1, \ldots, C_H)$ with
//!    $C_h = \mathrm{softmax}(Q_h K_h^\top / \sqrt{D/H}) \, V_h$, and the weights of all heads.
//!
//! For example, a text has two tokens, (1, 2, 3, 4) and (5, 6, 7, 8). Head 0 of two gets (1, 2) and
//! (5, 6), head 1 gets (3, 4) and (7, 8).
//!
//! You have `reshape`, `transpose`, `permute`, `matmul`, `softmax`. The library's attention is not
//! allowed.
//!
//! Builds on exercise {query_key_value.1}.
//!
//! Level 2 of 3, about 15 minutes.
#include <cmath>

#include "lessons/course/exercise/write.h"

Tensor my_split(const Tensor& x, int64_t H) {  // [B, T, D] -> [B, H, T, D / H]
    not_written();
}

Tensor my_merge(const Tensor& x) {  // [B, H, T, D / H] -> [B, T, D]
    not_written();
}

// q [B, Q, D], k and v [B, K, D] -> .context [B, Q, D], .weights [B, H, Q, K]
AttentionOutput my_heads(const Tensor& q, const Tensor& k, const Tensor& v, int64_t H) {
    not_written();
}
