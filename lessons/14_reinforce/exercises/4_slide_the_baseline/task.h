//! # Slide the baseline
//!
//! *Predict the plot.* Camera A is drawn with the probability $p = 0.75$ and has the loss 1.
//! Camera B has the loss 5. As in lesson 14, the derivative of $\ln p$ is $1 - p = 0.25$ for A
//! and $-p = -0.75$ for B, and the estimate is $(L - b) \, \nabla \ln p$.
//!
//! Say how each curve looks: "rises", "falls", "flat", or "valley", which falls first and rises
//! afterwards.
//!
//! 1. `my_variance()`: the variance of the estimate against the baseline $b$, from 0 to 8.
//! 2. `my_lowest()`: for which $b$ is it lowest?
//! 3. `my_mean()`: the expectation of the estimate against $b$, from 0 to 8.
//! 4. `my_larger_losses()`: the variance without a baseline, when a number from 0 to 10 is added
//!    to both losses, against this number.
//! 5. `my_own_loss()`: the baseline is now $b = c L$, a share $c$ of the sample's own loss. The
//!    size of the bias (without its sign) against $c$, from 0 to 1.
//!
//! There are only two choices, so every expectation is a sum of two terms, and you can compute
//! three points of each curve by hand.
//!
//! Level 2 of 3, about 10 minutes.
#include <string>

#include "lessons/course/exercise/write.h"

std::string my_variance() { not_written(); }

double my_lowest() { not_written(); }

std::string my_mean() { not_written(); }

std::string my_larger_losses() { not_written(); }

std::string my_own_loss() { not_written(); }
