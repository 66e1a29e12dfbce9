//! # The rotation of a published model
//!
//! Exercise {positions.1} rotates the numbers of a token in neighbouring pairs, with the base 10,000.
//! A published model may want another base, and other pairs. Write the rotation with both as
//! arguments: `my_rotary(x, first, base, halves)`.
//!
//! The last two axes of $x$ are tokens and numbers, $[\dots, T, D]$; there may be axes for heads and
//! texts before them. The first token is at the position `first`. Pair $i$ of the token at position
//! $t$ is rotated by the angle $t \cdot \text{base}^{-2i/D}$, where $i$ goes from 0 to $D/2 - 1$:
//!
//! $$ a' = a \cos - b \sin, \qquad b' = a \sin + b \cos . $$
//!
//! The pair is $(a, b) = (x_{2i}, x_{2i+1})$ when `halves` is false, as in GGUF files of the Llama
//! family, and $(x_i, x_{i + D/2})$ when it is true, as in the files of `transformers`. Each result
//! stays where its number was.
//!
//! For example, the row (1, 2, 3, 4) at position 1 with base 100 has the angles 1 and 0.1. In
//! neighbouring pairs it becomes (-1.143, 1.922, 2.586, 4.280), and in halves (-1.984, 1.591, 2.462,
//! 4.180).
//!
//! You have `sin`, `cos`, `tensor(numbers, shape, x.dtype())`, `slice` (with a step), `stack`,
//! `concat`, `reshape` and arithmetic.
//!
//! Builds on exercise {positions.1}.
//!
//! Level 2 of 3, about 15 minutes.
#include <cmath>

#include "lessons/course/exercise/write.h"

// x [..., T, D] -> [..., T, D]
Tensor my_rotary(const Tensor& x, int64_t first, double base, bool halves) { not_written(); }
