//! # A penalty for each distance
//!
//! Write ALiBi, the positions of lesson {positions} that learn nothing. Each head has a slope $m$.
//! The score of a query at position $t$ and a key at position $j$ gets the penalty $-m \, |t - j|$.
//!
//! 1. `my_slopes(H)` returns the slopes of $H$ heads, where $H$ is a power of two. They are
//!    $2^{-8/H}, 2^{-16/H}, \ldots$, the last one always $2^{-8}$. For four heads they are 1/4,
//!    1/16, 1/64 and 1/256.
//! 2. `my_penalties(H, Q, K)` returns what is added to the scores, of the shape `[H, Q, K]`. The
//!    queries are the last $Q$ of the $K$ tokens, so query $i$ stands at position $K - Q + i$.
//!
//! For example, one query and three keys have the distances 2, 1 and 0. The first of four heads
//! gets the penalties -0.5, -0.25 and 0. With equal scores its weights are 0.254, 0.326 and 0.419.
//!
//! The library's functions for ALiBi are not allowed.
//!
//! You have `tensor(numbers, shape)` for a `std::vector<double>`.
//!
//! Level 1 of 3, about 10 minutes.
#include <cmath>
#include <vector>

#include "lessons/course/exercise/write.h"

std::vector<double> my_slopes(int64_t H) { not_written(); }

Tensor my_penalties(int64_t H, int64_t Q, int64_t K) {  // [H, Q, K]
    not_written();
}
