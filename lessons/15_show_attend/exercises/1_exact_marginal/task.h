//! # The exact marginal and its lower bound
//!
//! Lesson {show_attend} trains hard attention with the probability of the right answer, summed over
//! all patches that might be drawn. Write its logarithm, and the lower bound. There are $B$
//! pictures with $K$ patches. `scores` holds the scores of the patches, so the weights $\alpha_j$
//! are their softmax. `log_p` holds $\ln p(y \mid j)$, as a classifier computes it with
//! `log_softmax`.
//!
//! 1. `my_log_marginal` returns $\ln \sum_j \alpha_j \, p(y \mid j)$ for each picture.
//! 2. `my_lower_bound` returns $\sum_j \alpha_j \ln p(y \mid j)$ for each picture.
//!
//! The four patches of the lesson have the weights 0.7, 0.1, 0.1, 0.1 and the probabilities 0.9,
//! 0.1, 0.1, 0.1. The results are -0.416 and -0.765.
//!
//! At the beginning of training a probability can be as small as $e^{-1000}$. This number is 0 on a
//! computer, and its logarithm is $-\infty$. Your result must be right all the same. You have all
//! the operations of the engine, such as `softmax`, `log_softmax` and `logsumexp`.
//!
//! Builds on exercise {probabilities.1}.
//!
//! Level 2 of 3, about 10 minutes.
#include "lessons/course/exercise/write.h"

Tensor my_log_marginal(const Tensor& scores, const Tensor& log_p) {  // [B, K], [B, K] -> [B]
    not_written();
}

Tensor my_lower_bound(const Tensor& scores, const Tensor& log_p) {  // [B, K], [B, K] -> [B]
    not_written();
}
