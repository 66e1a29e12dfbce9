//! # How the weights learn
//!
//! Nobody tells the translator of lesson {translation} where to look. Only the derivative of the
//! loss with respect to the context arrives at the attention, a vector
//! $d = \partial L / \partial c$ as wide as an annotation. From it follow the derivatives of the
//! scores:
//!
//! $$ g_j = d \cdot h_j, \qquad
//!    \frac{\partial L}{\partial e_j} = \alpha_j \Big( g_j - \sum_k \alpha_k g_k \Big) . $$
//!
//! 1. `my_gradient(weights, annotations, d)` returns the derivatives of the $K$ scores. `weights`
//!    has the $K$ numbers $\alpha_j$, and the $h_j$ are the rows of `annotations`.
//! 2. `my_new_weights(scores, annotations, d, rate)` takes one step of gradient descent on the
//!    scores and returns the weights after it. `rate` is the learning rate.
//!
//! With the numbers of the lesson, three weights of $1/3$ and $d = (-1, -1)$, the derivatives are
//! 0.222, 0.222 and $-0.444$. So the weight of 이다 grows.
//!
//! You have `matmul`, `sum`, `softmax` and arithmetic. The backward pass of the library is not
//! allowed.
//!
//! Level 2 of 3, about 10 minutes.
#include "lessons/course/exercise/write.h"

Tensor my_gradient(const Tensor& weights, const Tensor& annotations, const Tensor& d) {
    not_written();  // [K], [K, H], [H] -> [K]
}

Tensor my_new_weights(const Tensor& scores, const Tensor& annotations, const Tensor& d,
                      double rate) {
    not_written();  // [K], [K, H], [H] -> [K]
}
