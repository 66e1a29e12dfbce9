//! # Dropout
//!
//! In dropout (workshop {batches}), each unit is set to 0 with a given probability, anew for each
//! example and each step. The activations that are kept are made larger, so that each of them is
//! *on average* what it was without dropout. After training, all units are used as they are.
//!
//! Write `my_dropout(x, p, training, rng)`. The tensor $x$ has one row for each example and one
//! column for each unit. $p$ is the probability with which an element is set to 0, $0 \le p < 1$.
//! If `training` is false, the result is $x$.
//!
//! By what do you have to divide the activations that are kept? Take $p = 0.75$ and an activation
//! of 1. In one of four cases it is kept. For which value of the kept activation is the average 1?
//!
//! You have `uniform(shape, 0, 1, rng, dtype)`, `bernoulli(shape, probability, rng, dtype)`, which
//! draws ones with this probability and zeros otherwise, `where`, and arithmetic. The result has
//! the dtype of $x$.
//!
//! Level 1 of 3, about 10 minutes.
#include "lessons/course/exercise/write.h"

Tensor my_dropout(const Tensor& x, double p, bool training, Rng& rng) {  // [B, D] -> [B, D]
    not_written();
}
