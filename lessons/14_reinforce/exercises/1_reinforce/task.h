//! # REINFORCE with a baseline
//!
//! Write the estimator of lesson {reinforce} as a number that can be given to `backward`. There are
//! $N$ samples. In each, $T$ choices were made one after another, and the loss $L$ was measured.
//! The gradient of your number has to be the mean over the samples of
//!
//! $$ \nabla L + \sum_t (L - b_t) \, \nabla \ln p_t , $$
//!
//! where $\ln p_t$ is the log-probability of the choice at step $t$, and $b_t$ is the baseline.
//!
//! `my_reinforce(loss, log_prob, baseline)` gets the losses as [N], and the log-probabilities and
//! the baselines as [N, T]. All three may have been computed from parameters: the loss from those
//! of a classifier, and the baseline from those of a small network of its own.
//!
//! Only the gradient counts; the value of your number means nothing. In the formula, $L - b_t$ is
//! a factor, a constant.
//!
//! For the two cameras with $b = 2.8$, a sample with camera A has the gradient $(2 - 2.8) \cdot
//! 0.2 = -0.16$.
//!
//! You have `detach(x)`, `unsqueeze(x, axis)`, `sum(x, axis)`, `mean` and arithmetic.
//!
//! Level 2 of 3, about 10 minutes.
#include "lessons/course/exercise/write.h"

Tensor my_reinforce(const Tensor& loss, const Tensor& log_prob, const Tensor& baseline) {
    not_written();  // [N], [N, T], [N, T] -> []
}
