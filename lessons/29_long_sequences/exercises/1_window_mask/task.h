//! # Windows, gaps and global tokens
//!
//! Lesson {long_sequences} leaves out pairs of tokens in three ways. Write the mask $M$ for all of
//! them. $M_{ij}$ is 1 where query $i$ may attend to key $j$, and 0 elsewhere.
//!
//! 1. `my_mask(T, w, d, g)` returns $M$ with the shape [1, T, T]. Token $i$ attends to itself and
//!    to the $w$ tokens before and the $w$ tokens after it that are $d, 2d, \dots, wd$ steps away;
//!    $d$ is the dilation. Besides, the first $g$ tokens are global: they attend to all tokens, and
//!    all tokens attend to them.
//! 2. `my_attention(query, key, value, w)` is attention with scaled scores and a plain window, $d =
//!    1$ and no global token.
//!
//! With $T = 8$, $w = 1$, $d = 1$ and $g = 0$ the mask has 22 ones, as in the lesson. With $d = 2$,
//! row 3 allows the tokens 1, 3 and 5.
//!
//! `soft_attention(scores, value, mask)` of the library makes weights and context from scores.
//! `tensor(numbers, {1, T, T})` makes a tensor of a `std::vector<double>`.
//!
//! Builds on exercise {scores.1}.
//!
//! Level 1 of 3, about 15 minutes.
#include <cmath>
#include <cstdlib>
#include <vector>

#include "lessons/course/exercise/write.h"

Tensor my_mask(int64_t T, int64_t w, int64_t d, int64_t g) { not_written(); }

// query, key and value [B, T, D]
AttentionOutput my_attention(const Tensor& query, const Tensor& key, const Tensor& value,
                             int64_t w) {
    not_written();
}
