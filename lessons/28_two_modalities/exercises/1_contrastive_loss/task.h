//! # The contrastive loss, in both directions
//!
//! Write the loss of lesson {two_modalities}. A batch has $N$ pairs. Row $i$ of `a` belongs to
//! picture $i$, row $i$ of `b` to its caption. The vectors still have any length.
//!
//! 1. `my_scores(a, b, tau)` returns the table of the scores $s_{ij}$, [N, N]: the cosine of
//!    picture $i$ and caption $j$, divided by $\tau$.
//! 2. `my_loss(scores)` returns
//!
//! $$ L = \frac{1}{2N} \sum_{i=1}^N \Big( - \ln \Big(\frac{e^{s_{ii}}}{\sum_j e^{s_{ij}}}\Big)
//!                                  - \ln \Big(\frac{e^{s_{ii}}}{\sum_j e^{s_{ji}}}\Big) \Big) $$
//!
//! The network learns $\tau$, so the scores can become large. The loss must not overflow for scores
//! of 1,000. The three pairs of the lesson have the loss 0.570.
//!
//! You have `matmul`, `norm(x, 2, axis, keepdim)`, `log_softmax(x, axis)`, `logsumexp(x, axis)`,
//! `diagonal(x)`, `mean` and `sum`. The library's losses are not allowed.
//!
//! Level 2 of 3, about 15 minutes.
#include "lessons/course/exercise/write.h"

Tensor my_scores(const Tensor& a, const Tensor& b, double tau) {  // [N, D], [N, D] -> [N, N]
    not_written();
}

Tensor my_loss(const Tensor& scores) {  // [N, N] -> []
    not_written();
}
