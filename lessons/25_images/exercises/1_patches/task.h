//! # A picture as a sentence
//!
//! Make the tokens of the Vision Transformer of lesson {images}.
//!
//! 1. `my_patches(picture, P)` cuts a picture of $H \times W$ pixels into patches of $P \times P$
//!    and returns one row of $P^2$ numbers for each. The patches come in reading order: from left to
//!    right in the top row of patches, then the next row. The pixels of a patch are written in
//!    reading order too. $H$ and $W$ are multiples of $P$, but they may differ.
//! 2. `my_tokens(patches, w, b, c, e)` returns the $N + 1$ tokens. Row 0 is the class token $c + e_0$.
//!    Row $n$ is $W p_n + b + e_n$ for patch $n = 1, \dots, N$.
//!
//! The example of the lesson: the picture with the rows (1, 0, 0, 2) and (0, 1, 0, 2) has two patches
//! of 2 x 2, $p_1 = (1, 0, 0, 1)$ and $p_2 = (0, 2, 0, 2)$.
//!
//! You have `slice(x, axis, begin, end)`, `reshape`, `permute`, `stack`, `concat(parts, axis)`,
//! `unsqueeze`, `transpose`, `matmul` and arithmetic. The library's convolution is not allowed.
//!
//! Level 2 of 3, about 15 minutes.
#include "lessons/course/exercise/write.h"

Tensor my_patches(const Tensor& picture, int64_t P) {  // [H, W] -> [N, P * P]
    not_written();
}

// patches [N, P * P], w [D, P * P], b [D], c [D], e [N + 1, D] -> [N + 1, D]
Tensor my_tokens(const Tensor& patches, const Tensor& w, const Tensor& b, const Tensor& c,
                 const Tensor& e) {
    not_written();
}
