//! # Back through a chain of states
//!
//! Compute by hand how much of each input is left at the end of a plain recurrent network (lesson
//! {why_attention}). Its states are
//!
//! $$ h_t = \tanh(W h_{t-1} + U x_t), \qquad h_0 = 0 . $$
//!
//! The result is the number $y = c \cdot h_T$, with a fixed vector $c$.
//!
//! `my_gradients(W, U, x, c)` gets the $T$ inputs as the rows of `x`. It returns a tensor of shape [T, D];
//! row $t$ is the gradient of $y$ with respect to $x_t$. The function `grad` is not allowed.
//!
//! The derivative of $\tanh$ is 1 minus the square of its result. If $g$ is the gradient that arrives
//! at $h_t$, then $a = g \, (1 - h_t^2)$ arrives in front of the $\tanh$. From there it goes to
//! $x_t$ and to $h_{t-1}$.
//!
//! An example with $D = 1$, $W = 0.5$, $U = 1$, $c = 1$ and inputs of 0: all states are 0 and all slopes
//! are 1. With $T = 3$ the gradients are 0.25, 0.5 and 1.
//!
//! You have `select(x, axis, index)`, `matmul`, `transpose`, `tanh`, `square`, `stack` and arithmetic.
//!
//! Level 2 of 3, about 15 minutes.
#include <vector>

#include "lessons/course/exercise/write.h"

// W [D, D], U [D, D], x [T, D], c [D] -> [T, D]
Tensor my_gradients(const Tensor& W, const Tensor& U, const Tensor& x, const Tensor& c) {
    not_written();
}
