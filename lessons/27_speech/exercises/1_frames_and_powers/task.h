//! # From samples to powers
//!
//! Lesson {speech} cuts a sound into pieces that overlap, and computes the powers of each piece.
//! Write both steps.
//!
//! 1. `my_pieces(samples, length, hop)` gets all samples of a sound. Piece number $t$ consists of
//!    `length` samples and begins at sample $t$ times `hop`. The pieces are the rows of the result.
//!    Samples at the end that do not fill a piece are left out. There are at least `length`
//!    samples.
//! 2. `my_powers(pieces)` returns $P_k = C_k^2 + S_k^2$ of each piece, for $k = 0, 1, \dots, N/2$
//!    (rounded down), where $N$ is the length of a piece:
//!
//! $$ C_k = \sum_{n=0}^{N-1} x_n \cos(2 \pi k n / N), \qquad
//!    S_k = \sum_{n=0}^{N-1} x_n \sin(2 \pi k n / N) . $$
//!
//! The seven samples 1, 0, -1, 0, 1, 0, -1 with `length` 4 and `hop` 2 make two pieces, (1, 0,
//! -1, 0) and (-1, 0, 1, 0). Both have the powers 0, 4, 0.
//!
//! All tensors are float64. Loops or matrix products are both allowed: `arange(n, Dtype::float64)`,
//! `outer(a, b)`, `cos`, `sin` and `std::numbers::pi` may help.
//!
//! Level 2 of 3, about 15 minutes.
#include <cmath>
#include <numbers>
#include <vector>

#include "lessons/course/exercise/write.h"

Tensor my_pieces(const Tensor& samples, int64_t length, int64_t hop) {  // [n] -> [T, length]
    not_written();
}

Tensor my_powers(const Tensor& pieces) {  // [T, N] -> [T, N / 2 + 1]
    not_written();
}
