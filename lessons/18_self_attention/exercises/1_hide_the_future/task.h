//! # Nobody sees the future
//!
//! A model that predicts the next word must not read it. So in causal self-attention, the query at
//! position $t$ may see the keys at positions 0 to $t$: the earlier tokens and the token itself.
//! All later keys are hidden.
//!
//! Write `my_hide_future(scores)`. It gets the scores $e_{tj}$ of queries (rows, $t$) and keys
//! (columns, $j$), and returns them with $-\infty$ wherever a key is later than the query. The
//! softmax that comes afterwards gives these keys the weight 0, because $\exp(-\infty) = 0$. The
//! other scores stay as they are.
//!
//! The last two axes are queries and keys; there may be axes before them, for the sequences of a
//! batch and for the heads. There are as many queries as keys.
//!
//! Three tokens whose scores are all 1:
//!
//!     1  -inf  -inf
//!     1     1  -inf
//!     1     1     1
//!
//! You have `tensor(numbers, shape)`, `masked_fill(x, mask, value)`, which puts `value` wherever
//! the mask is not 0, and arithmetic. Infinity is `std::numeric_limits<double>::infinity()`.
//!
//! Level 1 of 3, about 10 minutes.
#include <limits>
#include <vector>

#include "lessons/course/exercise/write.h"

Tensor my_hide_future(const Tensor& scores) {  // [..., T, T] -> [..., T, T]
    not_written();
}
