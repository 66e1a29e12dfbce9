//! # A failure among many claims
//!
//! A course has $n$ claims that do not depend on each other. Claim $i$ fails with the probability
//! $p_i$. Write three functions.
//!
//! 1. `my_expected(p)`: how many claims are expected to fail in one run.
//! 2. `my_at_least_one(p)`: the probability that at least one fails.
//! 3. `my_each(n, together)`: all $n$ claims fail with the same probability. How large is it, if at
//!    least one of them fails with the probability `together`?
//!
//! With $p = (0.1, 0.2, 0.5)$ the first is 0.8 and the second $1 - 0.9 \cdot 0.8 \cdot 0.5 = 0.64$.
//! Solve the formula of the second for $p$ to find the third: of two claims with 0.2
//! each, at least one fails with the probability 0.36, so `my_each(2, 0.36)` is 0.2.
//!
//! Level 1 of 3, about 10 minutes.
#include <cmath>
#include <vector>

#include "lessons/course/exercise/write.h"

double my_expected(const std::vector<double>& p) { not_written(); }

double my_at_least_one(const std::vector<double>& p) { not_written(); }

double my_each(int n, double together) { not_written(); }
