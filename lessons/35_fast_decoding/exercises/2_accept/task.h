//! # Accept or sample again
//!
//! A draft samples tokens with the probabilities $q$, and the target wants them with the
//! probabilities $p$. Write the two halves of the rule, and then the distribution that comes out.
//!
//! 1. `my_acceptance(p, q)` is for each token the probability that it is accepted once the draft
//!    has sampled it, $\min(1, p(x) / q(x))$. All $q(x)$ are above 0.
//! 2. `my_residual(p, q)` is the distribution to sample from after a refusal: the part of $p$ above
//!    $q$, divided by its sum. $p$ and $q$ differ.
//! 3. `my_output(q, acceptance, residual)` is the distribution of the token that comes out in the
//!    end, for any acceptance and residual: accepted tokens, and those sampled after a refusal.
//!    With 1 and 2 it is $p$, which is the proof of the lesson in one line.
//!
//! For example, $p = (0.2, 0.5, 0.3)$ and $q = (0.4, 0.2, 0.4)$ give the acceptance $(0.5, 1,
//! 0.75)$ and the residual $(0, 1, 0)$.
//!
//! You have `minimum`, `maximum`, `sum`, and arithmetic with tensors. The library's
//! `acceptance` and `residual_distribution` are not allowed.
//!
//! Level 2 of 3, about 15 minutes.
#include "lessons/course/exercise/write.h"

// p [V], q [V] -> [V]
Tensor my_acceptance(const Tensor& p, const Tensor& q) { not_written(); }
Tensor my_residual(const Tensor& p, const Tensor& q) { not_written(); }

// For any acceptance and any distribution after a refusal: q [V], acceptance [V], residual [V] -> [V]
Tensor my_output(const Tensor& q, const Tensor& acceptance, const Tensor& residual) {
    not_written();
}
