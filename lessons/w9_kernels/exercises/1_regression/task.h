//! # Regression as attention
//!
//! The estimator of Nadaraya and Watson (workshop {kernels}) is attention with fixed
//! scores. Points with the positions $k_j$ and the heights $v_j$ lie on an unknown curve, and we
//! want its height at a position $q$:
//!
//! $$ f(q) = \frac{\sum_j G(q - k_j) \, v_j}{\sum_j G(q - k_j)}, \qquad
//!    G(d) = e^{-d^2 / (2 h^2)} . $$
//!
//! `my_regression(queries, positions, values, h)` returns $f(q)$ for $Q$ queries at once, from $N$
//! points. For points at 0, 1 and 2 with the heights 10, 20 and 30, and $h = 1$, it gives 17.3 at
//! $q = 0.5$.
//!
//! Take care with queries that are far from all points. There, all $G$ are so small that the
//! computer rounds them to 0, and $0 / 0$ is NaN. The right answer is nearly the height of the
//! nearest point. How does softmax avoid this?
//!
//! You have `unsqueeze(x, axis)`, `square`, `exp`, `sum`, `softmax(x, axis)`, `matmul` and
//! arithmetic.
//!
//! Level 2 of 3, about 10 minutes.
#include "lessons/course/exercise/write.h"

Tensor my_regression(const Tensor& queries, const Tensor& positions, const Tensor& values,
                     double h) {
    not_written();  // [Q], [N], [N] -> [Q]
}
