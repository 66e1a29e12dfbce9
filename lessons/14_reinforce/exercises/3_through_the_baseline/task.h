//! # It learns, and something is wrong
//!
//! *Find the bug.* A network chooses with REINFORCE and with a learned baseline: a small linear
//! model that predicts the loss (lesson {reinforce}). `my_training_loss` makes one number for both,
//! and `backward` is called on it. A program with it runs, and its network learns. But one of the
//! three groups of parameters gets a gradient that it should not get. The names of the groups are
//!
//! * "scores": the parameters behind `log_prob`. Their gradient should be the mean of
//!   $(L - b) \, \nabla \ln p$.
//! * "baseline": those behind `predicted`. Their gradient should be that of the squared error
//!   $(b - L)^2$.
//! * "loss": those behind `loss`, such as those of a classifier. Their gradient should be
//!   $\nabla L$.
//!
//! 1. `my_wrong_group()` returns the name of the group.
//! 2. Mend `my_training_loss`. One line is wrong.
//!
//! To begin with, write down the derivative of the number with respect to `predicted`, and to
//! `loss`. Which `detach` is missing? `detach(x)` makes a constant of a tensor.
//!
//! Builds on exercise {reinforce.1}.
//!
//! Level 2 of 3, about 10 minutes.
#include <string>

#include "lessons/course/exercise/write.h"

std::string my_wrong_group() { not_written(); }

// A loss, a log-probability and a predicted loss for each of N samples: [N], [N], [N] -> [].
Tensor my_training_loss(const Tensor& loss, const Tensor& log_prob, const Tensor& predicted) {
    const Tensor choices = (detach(loss) - predicted) * log_prob;
    const Tensor error = square(predicted - detach(loss));  // trains the baseline
    return mean(loss + choices + error);
}
