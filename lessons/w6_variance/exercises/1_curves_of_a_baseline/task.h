//! # The curves of a baseline
//!
//! *Predict the plot.* Again there are two cameras. A is drawn with the probability 0.6 and has the
//! loss 3; B is drawn with 0.4 and has the loss 7. The estimate of the derivative is $(L - b) \, g$
//! with $g = \nabla \ln p$, which is $1 - 0.6 = 0.4$ for A and $-0.6$ for B. Say how each curve
//! looks, in one of four words: "rises", "falls", "flat", or "valley", which means that it falls
//! first and rises afterwards.
//!
//! 1. `my_mean()`: the mean of the estimate against the baseline $b$, from 0 to 10.
//! 2. `my_variance()`: its variance against $b$, from 0 to 10.
//! 3. `my_lowest()`: at which $b$ is this variance lowest?
//! 4. `my_samples()`: the variance of the mean of $n$ independent estimates against $n$, from 1 to
//!    16.
//! 5. `my_own()`: somebody takes $b = cL$, a share $c$ of the sample's own loss. The distance of
//!    the estimate's mean from the derivative, against $c$, from 0 to 1.
//!
//! Work with a pencil, not with a plot.
//!
//! Level 2 of 3, about 15 minutes.
#include <string>

#include "lessons/course/exercise/write.h"

std::string my_mean() { not_written(); }

std::string my_variance() { not_written(); }

double my_lowest() { not_written(); }

std::string my_samples() { not_written(); }

std::string my_own() { not_written(); }
