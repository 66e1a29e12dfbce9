//! # A causal mask that trains too well
//!
//! *Find the bug.* A network that predicts the next word uses the causal mask below. Its training
//! loss comes near 0. When it writes a text, it fails.
//!
//! A causal mask forbids each token to attend to later tokens. A token may attend to itself. Row
//! $i$ belongs to query $i$, column $j$ to key $j$. For three tokens the mask should be
//!
//! $$ \begin{pmatrix} 1 & 0 & 0 \\ 1 & 1 & 0 \\ 1 & 1 & 1 \end{pmatrix} . $$
//!
//! There may be fewer queries than keys, when the earlier keys have been computed before. Then the
//! queries are the *last* $Q$ of the $K$ tokens: query $i$ stands at position $K - Q + i$. For one
//! query and three keys the mask is $(1, 1, 1)$.
//!
//! 1. `my_leak(T)` returns how many numbers of the mask below are 1 and should be 0, for $T \ge 1$
//!    queries and as many keys.
//! 2. Mend `my_causal_mask`, for any $Q$ and $K$ with $Q \le K$.
//!
//! `causal_mask` of the library is not allowed.
//!
//! Level 1 of 3, about 10 minutes.
#include <vector>

#include "lessons/course/exercise/write.h"

double my_leak(int64_t T) { not_written(); }

Tensor my_causal_mask(int64_t Q, int64_t K) {  // [Q, K]
    std::vector<double> mask;
    for (int64_t i = 0; i < Q; ++i)
        for (int64_t j = 0; j < K; ++j) mask.push_back(j <= i + 1 ? 1 : 0);
    return tensor(mask, {Q, K});
}
