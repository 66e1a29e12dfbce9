//! # The backward of attention by hand
//!
//! Attention is $C = A V$ with $A = \mathrm{softmax}(S)$ in each row and $S = Q K^\top / \sqrt D$.
//! In training, the gradient $G$ of the contexts arrives, and the weights $A$ are still there from
//! the forward pass. Write the gradients of $Q$, $K$ and $V$ without the tape, with products of
//! matrices only. Go backwards:
//!
//! 1. $C = A V$ is a product of two matrices. Lesson {autograd} has its two gradients.
//! 2. The softmax of lesson {gradient_check}: if $g$ arrives at the weights $\alpha$ of one row,
//!    the gradient of the scores is $\alpha_j (g_j - \sum_l \alpha_l g_l)$.
//! 3. $S$ is a product of two matrices again, divided by $\sqrt D$.
//!
//! A case on paper: $D = 1$, one query 0, the keys 1 and 3, and the values 0 and 4. The weights are
//! 1/2 each. If $G = 1$, the gradients of the values are 1/2 and 1/2, those of the
//! scores are -1 and 1, and the gradient of the query is $-1 \cdot 1 + 1 \cdot 3 = 2$.
//!
//! All tensors may have more axes in front, for the examples of a minibatch and for heads. `matmul`,
//! `transpose` and an axis of -1 work on the last axes.
//!
//! A part of your own engine: the GPT of lesson {language_model} calls it in every second block.
//! Not allowed: `grad`, `backward`, `vjp`.
//!
//! Builds on exercises {autograd.3}, {gradient_check.1}, {query_key_value.1}.
//!
//! Level 3 of 3, about 20 minutes.
#include <cmath>

#include "lessons/course/exercise/write.h"

struct MyGradients {
    Tensor query, key, value;  // of the shapes of Q, K and V
};

// Q [..., T, D], K [..., N, D], V [..., N, W], weights A [..., T, N], G [..., T, W]
MyGradients my_backward(const Tensor& Q, const Tensor& K, const Tensor& V, const Tensor& A,
                        const Tensor& G) {
    not_written();
}
