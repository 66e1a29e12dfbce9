//! # Attention that keeps a matrix
//!
//! Write linear attention with decay as a recurrence, the way a model generates with it: one step
//! reads one query, key and value, and keeps nothing but the state $S$ of $d \times d'$ numbers.
//!
//! 1. `my_state(S, k, v, alpha)` is the next state, $S_t = \alpha S_{t-1} + k_t^\top v_t$.
//! 2. `my_recurrence(q, k, v, alpha)` begins with $S_0 = 0$ and returns all outputs,
//!    $o_t = q_t S_t$. Each query reads the state *after* its own key and value are in it.
//!
//! For example, $k = (1, 2)$ and $v = (3)$ turn the state $S = (4, 6)^\top$ with $\alpha = 0.5$
//! into $(5, 9)^\top$.
//!
//! You have `matmul`, `transpose`, `slice`, `concat`, `zeros(shape, k.dtype())`. The library's linear
//! attention is not allowed.
//!
//! Level 1 of 3, about 10 minutes.
#include "lessons/course/exercise/write.h"

// S [d, d'], k [1, d], v [1, d'] -> [d, d']
Tensor my_state(const Tensor& S, const Tensor& k, const Tensor& v, double alpha) { not_written(); }

// q [T, d], k [T, d], v [T, d'] -> [T, d']
Tensor my_recurrence(const Tensor& q, const Tensor& k, const Tensor& v, double alpha) {
    not_written();
}
