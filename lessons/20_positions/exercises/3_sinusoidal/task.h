//! # A clock with D / 2 hands
//!
//! Write the sinusoidal positions of lesson {positions}, and find out what their dot products
//! depend on.
//!
//! 1. `my_positions(first, count, D)` returns the vectors of the positions `first`, `first + 1`,
//!    ..., one in each row, for an even width $D$:
//!
//! $$ P_{t, 2i} = \sin(\omega_i t), \qquad P_{t, 2i+1} = \cos(\omega_i t), \qquad
//!    \omega_i = 10000^{-2i/D} . $$
//!
//! 2. *Pencil.* `my_squared_length(D)` returns $P_t \cdot P_t$. It needs no sine and no cosine.
//! 3. *Pencil.* `my_product(d, D)` returns $P_t \cdot P_{t+d}$. It depends on the distance $d$
//!    only, so there is no $t$ among the arguments. Use
//!    $\sin a \sin b + \cos a \cos b = \cos(a - b)$.
//!
//! With $D = 4$, $P_1 = (0.841, 0.540, 0.010, 1.000)$, and the product of neighbours is 1.540.
//!
//! The library's functions for positions are not allowed.
//!
//! You have `tensor(numbers, shape)` for a `std::vector<double>`.
//!
//! Level 1 of 3, about 10 minutes.
#include <cmath>
#include <vector>

#include "lessons/course/exercise/write.h"

Tensor my_positions(int64_t first, int64_t count, int64_t D) {  // [count, D]
    not_written();
}

double my_squared_length(int64_t D) { not_written(); }

double my_product(int64_t d, int64_t D) { not_written(); }
