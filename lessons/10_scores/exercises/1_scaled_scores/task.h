//! # Ask words with a vector
//!
//! Lesson {scores} asks three words with a query. Write its two steps for any number of words. A
//! query $q$ has $D$ numbers; the keys are the rows of a matrix with $N$ rows, and the values are
//! the rows of another one.
//!
//! 1. `my_scores(q, keys)` returns the $N$ scores $e_j = q \cdot k_j / \sqrt{D}$.
//! 2. `my_context(q, keys, values)` returns $c = \sum_j \alpha_j v_j$, where the weights $\alpha_j$ are the
//!    softmax of the scores.
//!
//! You have the operations of the engine: `matmul`, `transpose`, `exp`, `sum`, `softmax`, and arithmetic.
//! The library's attention itself is not allowed.
//!
//! Level 1 of 3, about 10 minutes.
#include "lessons/course/exercise/write.h"

Tensor my_scores(const Tensor& q, const Tensor& keys) {  // [D], [N, D] -> [N]
    not_written();
}

Tensor my_context(const Tensor& q, const Tensor& keys,
                  const Tensor& values) {  // values [N, V] -> [V]
    not_written();
}
