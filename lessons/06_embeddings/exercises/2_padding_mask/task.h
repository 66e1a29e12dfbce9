//! # A mean that does not see the padding
//!
//! Three sentences of 3, 5 and 2 words become one tensor with $3 \times 5$ entries, filled up with
//! the padding id 0 (lesson {embeddings}). The vector of a sentence is to be the mean of the
//! vectors of its words, and of nothing else.
//!
//! 1. `my_mask(ids)` returns a tensor with 1 at words and 0 at padding. `ids.shape()` is [B, T],
//!    `ids[i]` is entry $i$, counted row by row, and `ids.count()` is their number.
//! 2. `my_mean(vectors, mask)` returns
//!
//! $$ \text{mean}_b = \frac{\sum_t m_{bt} \, v_{bt}}{\sum_t m_{bt}} , $$
//!
//! where $v_{bt}$ is the vector at position $t$ of sentence $b$. A sentence without any word gets a
//! vector of zeros, and never NaN.
//!
//! The test for this kind of mistake is in the lesson: a sentence has to get the same vector alone
//! and in a batch, beside longer ones. The judge does just that.
//!
//! You have `tensor(numbers, shape)`, `sum`, `unsqueeze`, `clamp(x, low, high)` and arithmetic.
//!
//! Level 2 of 3, about 15 minutes.
#include <vector>

#include "lessons/course/exercise/write.h"

Tensor my_mask(const Indices& ids) {  // [B, T] -> [B, T], float32
    not_written();
}

Tensor my_mean(const Tensor& vectors, const Tensor& mask) {  // [B, T, D], [B, T] -> [B, D]
    not_written();
}
