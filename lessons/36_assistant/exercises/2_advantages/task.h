//! # Better than its group?
//!
//! A model has generated $S$ answers to each of $G$ questions, and a judge has given each a reward.
//! Write the two advantages of lesson {assistant}.
//!
//! 1. `my_leave_one_out(reward)` is each reward minus the mean of the *other* $S - 1$ rewards of
//!    the same question.
//! 2. `my_group(reward)` is $(R - m) / (\sigma + 10^{-6})$, with the mean $m$ and the standard
//!    deviation $\sigma$ of *all* $S$ rewards of the question,
//!    $\sigma^2 = \frac{1}{S} \sum_i (R_i - m)^2$.
//!
//! For example, one question with the rewards 1, 0, 0, 0 gives 1, $-1/3$, $-1/3$, $-1/3$ by the
//! first, and 1.732, -0.577, -0.577, -0.577 by the second.
//!
//! You have `sum` and `mean` of an axis (`sum(x, 0, true)` keeps the axis), `square`, `sqrt`, and
//! `detach`. Rewards are numbers from outside: no gradient may flow into them.
//!
//! Level 2 of 3, about 10 minutes.
#include "lessons/course/exercise/write.h"

// reward [S, G] -> [S, G]
Tensor my_leave_one_out(const Tensor& reward) { not_written(); }

Tensor my_group(const Tensor& reward) { not_written(); }
