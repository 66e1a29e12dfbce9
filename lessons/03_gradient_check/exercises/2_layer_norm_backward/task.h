//! # Layer norm, backward
//!
//! Layer norm is a step of every Transformer (lesson {transformer}). From each row of $D$ numbers
//! it subtracts their mean $\mu$, and it divides by their standard deviation $\sigma$:
//!
//! $$ y_i = \frac{x_i - \mu}{\sigma}, \qquad \mu = \frac{1}{D} \sum_k x_k, \qquad
//!    \sigma = \sqrt{\frac{1}{D} \sum_k (x_k - \mu)^2 + \epsilon} . $$
//!
//! $\epsilon = 10^{-5}$ prevents a division by 0. Its gradient is easy to get wrong, because each
//! $x_i$ changes $y$ in three ways: by itself, through $\mu$ and through $\sigma$. Write
//! `my_layer_norm_backward(x, g)`, where $g_i$ is the derivative of the loss with respect to $y_i$.
//!
//! On paper: $\partial \mu / \partial x_j = 1 / D$, and $\partial \sigma / \partial x_j = y_j / D$
//! (derive this one). So $\partial y_i / \partial x_j = (\delta_{ij} - 1/D - y_i y_j / D) /
//! \sigma$. What remains is a sum over $i$, which gives two means for each row.
//!
//! With the row $x = (1, 3)$, $\mu = 2$ and $\sigma$ is nearly 1, so $y$ is nearly $(-1, 1)$. Any two numbers give this or $(1, -1)$, unless they are nearly equal. So the gradient is nearly 0.
//!
//! You have `mean(x, axis, true)`, which keeps the axis, `square`, `sqrt` and arithmetic.
//!
//! Builds on exercise {gradient_check.1}.
//!
//! Level 3 of 3, about 25 minutes.
#include "lessons/course/exercise/write.h"

inline constexpr double eps = 1e-5;

Tensor my_layer_norm_backward(const Tensor& x, const Tensor& g) {  // [..., D], [..., D] -> [..., D]
    not_written();
}
