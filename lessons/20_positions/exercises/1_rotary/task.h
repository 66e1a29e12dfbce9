//! # Rotate queries and keys
//!
//! Write the rotary positions of lesson {positions}. The tokens are the rows of $x$, of even width
//! $D$. The first row is at the position `first`, the second at `first + 1`, and so on. The numbers
//! of a row are taken in pairs, (0, 1), (2, 3), ..., and pair $i$ at position $t$ is rotated by the
//! angle $\omega_i t$ with $\omega_i = 10000^{-2i/D}$:
//!
//! $$ x_{2i}' = x_{2i} \cos(\omega_i t) - x_{2i+1} \sin(\omega_i t), \qquad
//!    x_{2i+1}' = x_{2i} \sin(\omega_i t) + x_{2i+1} \cos(\omega_i t) . $$
//!
//! `my_rotary(x, first)` returns the rotated rows. With $D = 4$ the frequencies are 1 and 0.01. So
//! the row (1, 0, 1, 0) at position 1 becomes (0.5403, 0.8415, 0.99995, 0.0100).
//!
//! The judge also tests the property that matters: the dot product of a rotated query and a rotated
//! key depends on their distance only.
//!
//! You have `sin`, `cos`, `arange`, `reshape`, `select`, `slice` (with a step), `stack` and
//! arithmetic.
//!
//! Level 2 of 3, about 15 minutes.
#include <cmath>

#include "lessons/course/exercise/write.h"

Tensor my_rotary(const Tensor& x, int64_t first) {  // [T, D] -> [T, D]
    not_written();
}
