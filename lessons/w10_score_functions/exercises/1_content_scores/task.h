//! # Only the direction counts
//!
//! The content score of workshop {score_functions} is $\beta \cos(q, k)$: the dot product of query
//! and key, divided by the lengths of both, times the sharpness $\beta$. Write
//! `my_content_scores(queries, keys, beta)` for all pairs at once: the result has a row for each
//! query and a column for each key.
//!
//! In the workshop, $q = (2, 1)$ and $k = (1, 1)$. Their dot product is 3, their lengths are
//! $\sqrt 5$ and $\sqrt 2$, and with $\beta = 3$ the score is 2.846. A key that is ten times as long
//! gets the same score.
//!
//! A key that is all 0, such as padding, has no direction. Its score is 0, and it must not become
//! NaN.
//!
//! You have `matmul`, `transpose`, `sum(x, axis, true)`, `square`, `sqrt`, `where(mask, x, number)`,
//! comparisons such as `x > 0`, and arithmetic. The library's content score is not allowed.
//!
//! Level 2 of 3, about 10 minutes.
#include "lessons/course/exercise/write.h"

// queries [Q, D], keys [N, D] -> [Q, N]
Tensor my_content_scores(const Tensor& queries, const Tensor& keys, double beta) { not_written(); }
