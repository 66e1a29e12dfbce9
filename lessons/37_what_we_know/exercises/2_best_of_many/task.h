//! # The best of many ideas
//!
//! None of your ideas does anything: with each seed an idea is ahead or behind, like a fair coin. A
//! bar asks that an idea is ahead with at least `bar` of `seeds` seeds. Write three functions.
//!
//! 1. `my_luck(seeds, bar)`: the probability that one idea keeps the bar. Of the $2^n$ results of $n$
//!    coins, those with $k$ heads are $n! / (k! \, (n - k)!)$ in number.
//! 2. `my_best(ideas, seeds, bar)`: the probability that the best of so many ideas keeps it, if all
//!    are tried and their coins are independent.
//! 3. `my_bar(ideas, seeds, most)`: the smallest bar that the best keeps with a probability of at most
//!    `most`. It is `seeds + 1`, which nothing can keep, if there is no other.
//!
//! With three seeds and the bar 2, one idea keeps it with $(3 + 1) / 8 = 0.5$, and the best of two
//! with $1 - 0.5^2 = 0.75$. The bar 3 is kept by the best of two with $1 - (7/8)^2 = 0.234$, so
//! `my_bar(2, 3, 0.25)` is 3.
//!
//! Level 2 of 3, about 20 minutes.
#include <cmath>

#include "lessons/course/exercise/write.h"

double my_luck(int seeds, int bar) { not_written(); }

double my_best(int ideas, int seeds, int bar) { not_written(); }

int my_bar(int ideas, int seeds, double most) { not_written(); }
