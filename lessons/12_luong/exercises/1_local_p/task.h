//! # A window that is predicted
//!
//! Write local-p, the local attention of lesson {luong}. The decoder's state $s$ says where the
//! window is, and a Gaussian makes the weights depend on its centre $p$:
//!
//! $$ p = \frac{K}{1 + e^{-v^\top \tanh(U s)}}, \qquad
//!    \alpha_j = \frac{e^{e_j}}{\sum_{|k - p| \le R} e^{e_k}} \, e^{-(j - p)^2 / 2 \sigma^2},
//!    \qquad \sigma = \frac{R}{2} . $$
//!
//! 1. `my_centre(U, v, s, K)` returns $p$, a tensor without axes.
//! 2. `my_local_weights(scores, p, R)` returns the $K$ weights. The indices begin at 0. Words
//!    outside the window have the weight 0, and the weights are not divided by their sum again.
//!
//! With the scores 5, 7, 1, 0 and 2, $p = 4$ and $R = 2$, the weights are 0, 0, 0.033, 0.055 and
//! 0.665.
//!
//! The network can only learn $U$ and $v$ if the gradient of the weights reaches $p$.
//!
//! You have `arange(K, dtype)` with the numbers 0 to $K - 1$, comparisons such as `abs(x) <= 2`,
//! which give 1 or 0, `where(mask, x, number)`, `softmax`, `sigmoid`, `exp`, `square` and the
//! usual operations.
//!
//! Level 2 of 3, about 15 minutes.
#include "lessons/course/exercise/write.h"

Tensor my_centre(const Tensor& U, const Tensor& v, const Tensor& s, int64_t K) {
    not_written();  // [A, S], [A], [S] -> []
}

Tensor my_local_weights(const Tensor& scores, const Tensor& p, double R) {
    not_written();  // [K], [] -> [K]
}
