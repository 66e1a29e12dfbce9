//! # A row of the table, and its gradient
//!
//! Lesson {embeddings}: the product of a one-hot vector with a matrix is a row of the matrix. So an
//! embedding is a product, and its gradient follows from the rule of a product (lesson {autograd}).
//! Write all three:
//!
//! 1. `my_one_hot(ids, V)` returns a row for each id, with a 1 at the index of the id and 0
//!    elsewhere. An id below 0, or of $V$ and more, is an error: throw with `check(false, "...")`.
//! 2. `my_lookup(table, ids)` returns the vectors of the ids. Use the one-hot rows.
//! 3. `my_table_gradient(ids, g, V)` returns the gradient of the table, if $g$ has the gradients of
//!    the vectors that `my_lookup` returned, one row for each id.
//!
//! In the lesson, the text has the words 1, 2, 1, and the gradients of its three vectors are (1,
//! 0), (0, 1) and (2, 2). For $V = 3$, the gradient of the table has the rows (0, 0), (3, 2) and
//! (0, 1).
//!
//! You have `tensor(numbers, shape)`, `to_dtype`, `matmul` and `transpose`. `ids.count()` is the
//! number of ids, and `ids[i]` is one of them.
//!
//! A part of your own translator: `./heed learn translation --mine`.
//!
//! Level 1 of 3, about 15 minutes.
#include <vector>

#include "lessons/course/exercise/write.h"

Tensor my_one_hot(const Indices& ids, int64_t V) {  // [T] -> [T, V], float32
    not_written();
}

Tensor my_lookup(const Tensor& table, const Indices& ids) {  // [V, D], [T] -> [T, D]
    not_written();
}

Tensor my_table_gradient(const Indices& ids, const Tensor& g, int64_t V) {  // [T], [T, D] -> [V, D]
    not_written();
}
