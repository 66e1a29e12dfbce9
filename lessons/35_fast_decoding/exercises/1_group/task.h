//! # Round a group of weights
//!
//! Some weights share a step. Keep of each only a whole number, with few bits, and get it back.
//!
//! 1. `my_step(w, bits)` is the step $s = \max_i |w_i| / (2^{m - 1} - 1)$ for $m$ bits: the largest
//!    weight just fits.
//! 2. `my_rounded(w, bits, group)` cuts the row $w$ of $n$ weights into groups, each with a step of
//!    its own, and returns the $n$ weights $s \cdot \text{round}(w_i / s)$. A group of zeros stays
//!    zeros.
//!
//! For example, the weights $(0.7, -0.32, 0.04)$ with 4 bits have the step 0.1 and become $(0.7,
//! -0.3, 0)$.
//!
//! You have `max`, `abs`, `round`, `slice`, `concat`, `item()`. The library's `quantise` is not
//! allowed.
//!
//! Level 1 of 3, about 10 minutes.
#include "lessons/course/exercise/write.h"

// w [n] -> s
double my_step(const Tensor& w, int bits) { not_written(); }

// w [n], n a multiple of `group` -> [n]
Tensor my_rounded(const Tensor& w, int bits, int64_t group) { not_written(); }
