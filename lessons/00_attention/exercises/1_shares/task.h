//! # Attention in a few lines
//!
//! Lesson {attention} turns a query and three words into a mean. Write it with tensors, for any
//! number of words.
//!
//! `my_attention(q, W)` gets the query $q$, one row of $D$ numbers, and the words as the $K$ rows of
//! $W$. It returns one row of $D$ numbers, the mean of the words with the weights of attention:
//!
//! $$ \text{score}_j = q \cdot w_j, \qquad
//!    \alpha_j = \frac{e^{\text{score}_j}}{\sum_l e^{\text{score}_l}}, \qquad
//!    \text{mean} = \sum_j \alpha_j w_j . $$
//!
//! For the query $(0, 2)$ and the words $(3, 0)$, $(2, 1)$, $(0, 2)$ it is $(0.2822, 1.8509)$.
//!
//! You have `matmul(a, b)`, the product of two matrices, `transpose(a)`, and `softmax(a)`, which turns
//! each row of scores into weights.
//!
//! Level 1 of 3, about 5 minutes.
#include "lessons/course/exercise/write.h"

// q [1, D], W [K, D] -> [1, D]
Tensor my_attention(const Tensor& q, const Tensor& W) { not_written(); }
