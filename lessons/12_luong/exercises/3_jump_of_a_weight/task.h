//! # How far does the weight jump?
//!
//! *With pencil and paper.* While the centre $p$ of local-p moves, words enter and leave the
//! window (lesson {luong}). In the example of the lesson, with $R = 2$ and equal scores, the word 5
//! enters when $p$ passes 3, and its weight jumps from 0 to $e^{-2} / 4 = 0.034$.
//!
//! Now the sentence has 20 words with equal scores, and $R = 5$, so $\sigma = 2.5$. The centre
//! moves to the right and passes 8. Two things happen there: the word 13 enters, and the word 3
//! leaves.
//!
//! 1. `my_jump()` returns the weight of the word 13 just *after* $p = 8$. Just before, it is 0.
//! 2. `my_smooth_jump()` returns what it would be if the window had no edge at all: the softmax
//!    runs over all 20 words, and the Gaussian is the same. (Then there is no jump at 8; the
//!    weight has this value just before and just after.)
//!
//! Give the numbers to four decimals, or let C++ compute them with `std::exp`.
//!
//! Level 2 of 3, about 10 minutes.
#include <cmath>

#include "lessons/course/exercise/write.h"

double my_jump() { not_written(); }

double my_smooth_jump() { not_written(); }
