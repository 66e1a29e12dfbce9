//! # Softmax, backward
//!
//! Lesson {gradient_check} tests a softmax whose gradient was wrong. Write the right one. Softmax
//! turns each row of scores $x$ into weights $y_i = e^{x_i} / \sum_k e^{x_k}$. Let $g_i$ be the
//! derivative of the loss with respect to $y_i$. Each score changes all weights of its row, because
//! the weights always sum to 1. The chain rule gives the derivative with respect to the score:
//!
//! $$ \frac{\partial L}{\partial x_j} = \sum_i g_i \frac{\partial y_i}{\partial x_j}, \qquad
//!    \frac{\partial y_i}{\partial x_j} = y_i (\delta_{ij} - y_j) . $$
//!
//! $\delta_{ij}$ is 1 if $i = j$, and 0 otherwise. Simplify this on paper first: put the second
//! formula into the first, and the result needs one sum for each row.
//!
//! Then write `my_softmax_backward(y, g)`. Both tensors have rows along their last axis, and any
//! number of axes before it. The matrix of all derivatives is not needed.
//!
//! In the lesson, $y = (0.665, 0.245, 0.090)$ and $g = (1, 2, 0)$ give $(-0.103, 0.207, -0.104)$.
//!
//! You have `sum(x, axis, true)`, which keeps the axis, and arithmetic.
//!
//! A part of your own translator: `./heed learn translation --mine`.
//!
//! Level 2 of 3, about 15 minutes.
#include "lessons/course/exercise/write.h"

Tensor my_softmax_backward(const Tensor& y, const Tensor& g) {  // [..., C], [..., C] -> [..., C]
    not_written();
}
