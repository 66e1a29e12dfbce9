//! # What do two heads do together?
//!
//! Write the circuits of lesson {circuits}. The weights are stored as in the library: a vector $x$ of
//! width $D$ has the query $W_Q x$ of width $w$.
//!
//! 1. `my_qk(W_Q, W_K)`: the matrix $M$ of size $D \times D$ for which $x^\top M y$ is the dot product
//!    of the query of $x$ and the key of $y$.
//! 2. `my_ov(W_O, W_V)`: the matrix of size $D \times D$ that makes of $x$ what is added to the
//!    residual stream when all weight is on $x$.
//! 3. `my_composed(E, ov, qk)`: $E$ has a row for each letter. A head of the first layer with the OV
//!    circuit `ov` has noted a letter $b$ in some token. What is the score of this note alone for the
//!    query of the letter $a$, in a head of the second layer with the QK circuit `qk`? Return it for
//!    all letters: a row for each $a$, a column for each $b$.
//!
//! For example, let $w = 1$, $D = 2$, $W_Q = (1, 0)$ and $W_K = (0, 2)$. The query of $(3, 4)$ is 3,
//! the key of $(5, 6)$ is 12, and the only number in $M$ that is not 0 is a 2 in its first row and
//! second column.
//!
//! You have `matmul` and `transpose`.
//!
//! Level 2 of 3, about 15 minutes.
#include "lessons/course/exercise/write.h"

Tensor my_qk(const Tensor& W_Q, const Tensor& W_K) {  // [w, D], [w, D] -> [D, D]
    not_written();
}

Tensor my_ov(const Tensor& W_O, const Tensor& W_V) {  // [D, w], [w, D] -> [D, D]
    not_written();
}

Tensor my_composed(const Tensor& E, const Tensor& ov, const Tensor& qk) {  // [V, D], ... -> [V, V]
    not_written();
}
