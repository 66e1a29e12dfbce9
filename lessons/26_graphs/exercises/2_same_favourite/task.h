//! # The same favourite for everybody
//!
//! *Find the bug.* The function `my_scores` below should be the score of GATv2, $e_{ij} = a \cdot
//! \operatorname{LeakyReLU}(W_t x_i + W_s x_j)$ with the slope 0.2. A network with it trains, and
//! its loss falls. But the function is wrong. Four laws for the weights, which are the softmax of
//! the scores of each target, are:
//!
//! * "distribution": the weights of a target are not negative and sum to 1;
//! * "permutation": if the sources are put into another order, their weights follow them;
//! * "targets apart": the weights of a target do not depend on the other targets;
//! * "own favourite": two targets with the same sources can give the largest weight to different
//!   sources.
//!
//! 1. `my_broken_law()` returns the name of the one that this function breaks.
//! 2. Mend `my_scores`.
//!
//! To begin with, take $W_t$ and $W_s$ the identity, $a = (1, 1)$, the targets (0, -1) and (-1, 0),
//! and the sources (2, 0) and (0, 2). Compute the four scores by the formula above, and then those
//! of this function. Builds on exercise {graphs.1}.
//!
//! Level 2 of 3, about 10 minutes.
#include <string>

#include "lessons/course/exercise/write.h"

std::string my_broken_law() { not_written(); }

// targets [Q, D], sources [K, D], W_t and W_s [F, D], a [F] -> [Q, K]
Tensor my_scores(const Tensor& targets, const Tensor& sources, const Tensor& W_t, const Tensor& W_s,
                 const Tensor& a) {
    const Tensor of_target = matmul(linear(targets, W_t), a);  // [Q]
    const Tensor of_source = matmul(linear(sources, W_s), a);  // [K]
    return leaky_relu(unsqueeze(of_target, 1) + unsqueeze(of_source, 0), 0.2);
}
