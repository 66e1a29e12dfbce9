//! # The additive score
//!
//! The additive score of lesson {scores} is a small network with one hidden layer. Its score of a
//! query $q$ and a key $k$ is $v^\top \tanh(W q + U k)$. Write
//! `my_additive_scores(queries, keys, W, U, v)` for all pairs at once: the result has a row for
//! each query and a column for each key. A batch of sentences has one more axis, before the others,
//! and each sentence has scores of its own; so count the axes from the end.
//!
//! $W$ has a row for each hidden unit and a column for each number of a query; $U$ has a row for
//! each hidden unit and a column for each number of a key. Queries and keys need not have the same
//! width.
//!
//! An example: $q = (2, 1)$, $k = (1, 1)$, $W$ and $U$ leave vectors as they are, and $v = (1, 1)$.
//! Then $W q + U k = (3, 2)$, $\tanh$ makes $(0.995, 0.964)$ of it, and the score is 1.959.
//!
//! No loops are needed: compute $W q$ once for each query and $U k$ once for each key, and let
//! broadcasting (lesson {tensors}) form all the sums. The library's additive score is not allowed.
//!
//! You have `matmul`, `transpose`, `unsqueeze(x, axis)`, `tanh` and `sum(x, axis)`.
//!
//! Builds on exercise {scores.1}.
//!
//! A part of your own translator: `./heed learn translation --mine`.
//!
//! Level 2 of 3, about 15 minutes.
#include "lessons/course/exercise/write.h"

// queries [..., Q, D], keys [..., N, E], W [A, D], U [A, E], v [A] -> [..., Q, N]
Tensor my_additive_scores(const Tensor& queries, const Tensor& keys, const Tensor& W,
                          const Tensor& U, const Tensor& v) {
    not_written();
}
