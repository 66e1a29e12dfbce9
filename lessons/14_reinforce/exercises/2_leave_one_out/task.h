//! # Leave one out
//!
//! Four samples of one problem were drawn. As a baseline for each, lesson {reinforce} takes the
//! mean loss of the *other* samples: the leave-one-out baseline. It never contains the sample's own
//! loss, so it does not depend on the sample's own choice, and the estimate stays unbiased.
//!
//! 1. `my_leave_one_out(losses)` returns the baselines. `losses` has the shape [S, N]: a row for
//!    each of the $S$ samples, and a column for each of $N$ problems. Other problems have nothing
//!    to do with it. With a single sample there are no others: throw an error then, with
//!    `check(condition, "message")`, which throws if the condition is false.
//! 2. `my_share(S)` is a question for pencil and paper. Someone takes the mean of *all* $S$ losses
//!    as the baseline, also the sample's own. Then the mean of the estimates
//!    $(L - b) \, \nabla \ln p$ is only a share of the true gradient. Which share? For two samples
//!    the lesson says one half.
//!
//! An example: the losses 2, 6, 2 and 2 of one problem have the baselines 3.333, 2, 3.333 and
//! 3.333.
//!
//! You have `losses.size(axis)`, `sum(x, axis, true)`, which keeps the axis, and arithmetic.
//!
//! Level 1 of 3, about 10 minutes.
#include "lessons/course/exercise/write.h"

Tensor my_leave_one_out(const Tensor& losses) {  // [S, N] -> [S, N]
    not_written();
}

double my_share(int S) { not_written(); }
