//! # Softmax, tile by tile
//!
//! Lesson {memory} carries three things from tile to tile: the maximum $m$, the sum of weights
//! $\ell$, and the weighted sum of values $a$. Here every tile gets its own three, and any two are
//! joined. So several threads can work on the tiles in any order.
//!
//! 1. `my_tile(s, v)` gets the scores of one tile, [Q, K], and its values, [K, D]. It returns $m =
//!    \max_j s_j$ and $\ell = \sum_j e^{s_j - m}$, both [Q, 1], and $a = \sum_j e^{s_j - m} v_j$,
//!    [Q, D].
//! 2. `my_join(x, y)` returns the three of both tiles together. Scores may be 1,000 or -1,000.
//! 3. `my_result(x)` returns the contexts, [Q, D].
//! 4. `my_attention(q, k, v, tile)` computes attention with scaled scores from tiles of so many
//!    keys; the last one may be smaller. No table [Q, K] of all keys may be computed.
//!
//! Scores 1, 3 with values 10, 20 have $m = 3$, $\ell = 1.1353$, $a = 21.353$. Joined with scores
//! 2, 5 and values 30, 40: $m = 5$, $\ell = 1.2034$, $a = 44.384$, and the context is 36.88.
//!
//! You have `max(x, axis, true)` and `sum(x, axis, true)`, which keep the axis, `maximum(a, b)`,
//! `exp`, `matmul`, `transpose` and `slice(x, axis, begin, end)`.
//!
//! Level 2 of 3, about 25 minutes.
#include <algorithm>
#include <cmath>

#include "lessons/course/exercise/write.h"

struct Sums {
    Tensor m, l, a;  // [Q, 1], [Q, 1], [Q, D]
};

Sums my_tile(const Tensor& s, const Tensor& v) { not_written(); }

Sums my_join(const Sums& x, const Sums& y) { not_written(); }

Tensor my_result(const Sums& x) { not_written(); }

// q [Q, D], k [K, D], v [K, V] -> [Q, V]
Tensor my_attention(const Tensor& q, const Tensor& k, const Tensor& v, int64_t tile) {
    not_written();
}
