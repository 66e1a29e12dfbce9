//! # A small change beside a large matrix
//!
//! Write a linear layer with a low-rank adapter, $y = x (W + s B A)^\top$, in which $s$ is the
//! factor $\alpha / r$.
//!
//! 1. `my_adapted(x, W, A, B, s)` computes $y$. The matrix $B A$, as large as $W$, is not needed
//!    for it.
//! 2. `my_merged(W, A, B, s)` is the one matrix that does the same when the adapter is gone.
//! 3. `my_count(in, out, r)` is the number of parameters that $A$ and $B$ have together.
//!
//! For example, $W$ the identity of two rows, $A = (1 \;\, 2)$, $B = (3 \;\, 0)^\top$ and $s = 1$
//! turn $x = (1, 1)$ into $(10, 1)$.
//!
//! You have `matmul` and `transpose`.
//!
//! Level 1 of 3, about 10 minutes.
#include "lessons/course/exercise/write.h"

// x [N, In], W [Out, In], A [r, In], B [Out, r] -> [N, Out]
Tensor my_adapted(const Tensor& x, const Tensor& W, const Tensor& A, const Tensor& B, double s) {
    not_written();
}

// -> [Out, In]
Tensor my_merged(const Tensor& W, const Tensor& A, const Tensor& B, double s) { not_written(); }

double my_count(int in, int out, int r) { not_written(); }
