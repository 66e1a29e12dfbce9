//! # Unpack a block of four bits
//!
//! A block of the format Q4_1 holds 32 weights in 20 bytes: two numbers $d$ and $m$ of two bytes each, and 16 bytes
//! with two whole numbers $q$ in each, from 0 to 15. A weight is
//!
//! $$ w_i = d \, q_i + m . $$
//!
//! 1. `my_unpack(bytes, d, m)` returns the 32 weights. The **lower** four bits of byte $j$ are $q_j$, its **upper** four
//!    bits are $q_{j+16}$. So neighbouring weights come from neighbouring bytes.
//! 2. `my_rounded(w)` returns what a block of the weights $w$ gives back: with $m$ the smallest of them and $d = (\max_i
//!    w_i - m) / 15$, each weight becomes $d \cdot \text{round}((w_i - m) / d) + m$. If all weights are equal, they stay
//!    as they are.
//!
//! For example, if byte 0 is 0x3A, which is $3 \cdot 16 + 10$, then $q_0 = 10$ and $q_{16} = 3$. With $d = 0.5$ and $m = -2$
//! the weights 0 and 16 are 3 and $-0.5$. And (1, 4, 16) has $m = 1$ and $d = 1$: it comes back as it is.
//!
//! You have the operators `&` and `>>`, `min`, `max`, `round`, `item()` and arithmetic.
//!
//! Builds on exercise {fast_decoding.1}.
//!
//! Level 1 of 3, about 10 minutes.
#include <vector>

#include "lessons/course/exercise/write.h"

// 16 bytes, each 0 to 255 -> [32]
Tensor my_unpack(const std::vector<int>& bytes, double d, double m) { not_written(); }

// w [n] -> [n]
Tensor my_rounded(const Tensor& w) { not_written(); }
