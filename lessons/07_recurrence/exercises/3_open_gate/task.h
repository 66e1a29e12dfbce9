//! # How large must the bias be?
//!
//! *With pencil and paper.* The gate $z$ of a GRU decides how much of the old state is kept, and
//! the gradient is multiplied by about $z$ at each step back (lesson {recurrence}). Before
//! training, $z$ is $\sigma(b)$, where $b$ is the bias of this gate. The lesson takes $b = 3$: then
//! $z = 0.953$, and $z^{50} = 0.09$ of the gradient is left after 50 steps.
//!
//! For which bias $b$ is exactly *half* of the gradient left after 50 steps?
//!
//! Count only the factors $z$, and neglect what comes through the matrices. The sigmoid is
//! $\sigma(b) = 1 / (1 + e^{-b})$. You need its inverse: solve $\sigma(b) = z$ for $b$.
//!
//! `my_answer()` returns the number. It is enough to be right to two decimals. You may let C++
//! compute it with `std::log` and `std::pow`.
//!
//! Level 1 of 3, about 5 minutes.
#include <cmath>

#include "lessons/course/exercise/write.h"

double my_answer() { not_written(); }
