//! # Softmax that does not overflow
//!
//! The next part of your own engine, after the tape of lesson {autograd}. Write `my_softmax(z, tau)`,
//! the softmax of lesson {probabilities} with a temperature $\tau$:
//!
//! $$ p_j = \frac{e^{z_j / \tau}}{\sum_k e^{z_k / \tau}} . $$
//!
//! The logits $z$ have rows along their last axis, and any number of axes before it. Each row gets
//! probabilities of its own, which sum to 1.
//!
//! The logits 2, 1 and 0 give $(0.665, 0.245, 0.090)$. The logits 1000, 999 and 998 must give the
//! same, and they must not overflow. Remember that one row may hold large numbers and the next one
//! small ones. A logit of minus infinity, which excludes an outcome, gets the probability 0.
//!
//! You have `exp`, `sum(x, axis, keepdim)`, `max(x, axis, keepdim)` and arithmetic. With keepdim
//! true, the axis stays, with the size 1, so that the result is broadcast.
//!
//! A part of your own translator: `./heed learn translation --mine`.
//!
//! Level 1 of 3, about 10 minutes.
#include "lessons/course/exercise/write.h"

Tensor my_softmax(const Tensor& z, double tau = 1) {  // [..., C] -> [..., C]
    not_written();
}
