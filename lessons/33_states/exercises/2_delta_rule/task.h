//! # Replace, do not add
//!
//! The delta rule asks the state what it holds for the key, and writes the difference.
//!
//! 1. `my_delta(S, k, v, beta)` is the next state,
//!    $S_t = S_{t-1} + \beta \, k_t^\top (v_t - k_t S_{t-1})$.
//! 2. `my_erase(S, k)` uses it to make the state answer the key with 0, for a key of *any* length but
//!    0. What the state holds for keys at right angles stays. Which $v$, and which $\beta$?
//!
//! For example, let the state be $(1, 5)^\top$, the key $(1, 0)$ and the value 2. With $\beta = 1$
//! the next state is $(2, 5)^\top$, with $\beta = 0.5$ it is $(1.5, 5)^\top$.
//!
//! You have `matmul`, `transpose`, `sum`, `square`, `zeros`.
//!
//! Builds on exercise {states.1}.
//!
//! Level 2 of 3, about 10 minutes.
#include "lessons/course/exercise/write.h"

// S [d, d'], k [1, d], v [1, d'] -> [d, d']
Tensor my_delta(const Tensor& S, const Tensor& k, const Tensor& v, double beta) { not_written(); }

Tensor my_erase(const Tensor& S, const Tensor& k) { not_written(); }
