//! # The block, with both norms
//!
//! Write the block of lesson {transformer}. Its two sublayers, attention and feed-forward network,
//! are handed over as functions from tokens to tokens.
//!
//! 1. `my_feed_forward(x, w1, b1, w2, b2)` returns $W_2 \operatorname{relu}(W_1 x + b_1) + b_2$ for
//!    each row $x$ of the tokens. $W_1$ has $F$ rows and $W_2$ has $F$ columns.
//! 2. `my_pre_norm(attention, network, x)` is the block with pre-norm:
//!    $y = x + f(\operatorname{norm}(x))$ for each of the two sublayers, one after the other.
//! 3. `my_post_norm(attention, network, x)` is the block with post-norm:
//!    $y = \operatorname{norm}(x + f(x))$ for each of them.
//!
//! The norm is `layer_norm(x)`, without learned scale and shift.
//!
//! Take the token (1, 2, 6). Its norm is (-0.926, -0.463, 1.389). Let the attention double what it
//! reads, and let the network return zeros. With pre-norm, the block returns (-0.852, 1.074, 8.777).
//! With post-norm, it returns the norm of (3, 6, 18), which is again (-0.926, -0.463, 1.389).
//!
//! You have `matmul`, `transpose`, `relu`, `layer_norm` and arithmetic, but not the library's
//! `linear`.
//!
//! Level 2 of 3, about 15 minutes.
#include <functional>

#include "lessons/course/exercise/write.h"

using Sublayer = std::function<Tensor(const Tensor& x)>;  // [T, D] -> [T, D]

// [T, D], [F, D], [F], [D, F], [D] -> [T, D]
Tensor my_feed_forward(const Tensor& x, const Tensor& w1, const Tensor& b1, const Tensor& w2,
                       const Tensor& b2) {
    not_written();
}

Tensor my_pre_norm(const Sublayer& attention, const Sublayer& network, const Tensor& x) {
    not_written();
}

Tensor my_post_norm(const Sublayer& attention, const Sublayer& network, const Tensor& x) {
    not_written();
}
