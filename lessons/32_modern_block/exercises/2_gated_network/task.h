//! # A network with gates
//!
//! Write the feed-forward network of lesson {modern_block}, and choose its size.
//!
//! 1. `my_swiglu(x, w, v, w2)` returns $W_2 (\mathrm{silu}(W x) \odot V x)$ for each row $x$ of
//!    the tokens, with $\mathrm{silu}(z) = z / (1 + e^{-z})$. $W$ and $V$ have $F$ rows, $W_2$ has
//!    $F$ columns.
//! 2. `my_units(D, F)` returns how many hidden units the gated network may have, so that it has at
//!    most as many weights as a network of two matrices with $F$ hidden units. There are no biases.
//!
//! For example, the row (2, 1) with $W = (1, -1)$, $V = (2, 1)$ and $W_2 = 1$ gives
//! $\mathrm{silu}(1) \cdot 5 = 3.655$. And with $D = 64$ and $F = 256$ there may be 170 units.
//!
//! You have `matmul`, `transpose`, `exp`, `sigmoid` and arithmetic.
//!
//! Builds on exercise {transformer.1}.
//!
//! Level 1 of 3, about 10 minutes.
#include "lessons/course/exercise/write.h"

// [T, D], [F, D], [F, D], [D, F] -> [T, D]
Tensor my_swiglu(const Tensor& x, const Tensor& w, const Tensor& v, const Tensor& w2) {
    not_written();
}

int64_t my_units(int64_t D, int64_t F) { not_written(); }
