//! # The RMS norm, and the layer norm from it
//!
//! 1. `my_rms_norm(x, weight, eps)` normalises each row of `x`, of any shape `[..., D]`, as lesson
//!    {modern_block} does: it divides the row by $\sqrt{\frac{1}{D} \sum_i x_i^2 + \epsilon}$ and
//!    multiplies it by `weight`.
//! 2. `my_layer_norm(x, weight, eps)` is the layer norm without a bias. Let it call `my_rms_norm`.
//!
//! For example, with weights of 1 and $\epsilon = 0$, the row (2, 4, 6, 2) has the mean square 15. Its
//! RMS norm is (0.516, 1.033, 1.549, 0.516). Its layer norm is (-0.905, 0.302, 1.508, -0.905).
//!
//! You have `mean`, `sum`, `sqrt` and arithmetic.
//!
//! Level 1 of 3, about 10 minutes.
#include "lessons/course/exercise/write.h"

Tensor my_rms_norm(const Tensor& x, const Tensor& weight, double eps) {  // [..., D], [D]
    not_written();
}

Tensor my_layer_norm(const Tensor& x, const Tensor& weight, double eps) {  // [..., D], [D]
    not_written();
}
