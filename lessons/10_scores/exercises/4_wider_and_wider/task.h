//! # Wider and wider
//!
//! *Predict the plot.* A query and 32 keys are random: their numbers are independent, with mean 0
//! and variance 1. As in lesson {scores}, softmax makes weights of their scores. Each plot is
//! against the width $D = 4, 16, 64, 256, 512$, on average over many queries. Say how it looks:
//! "rises", "falls", or "flat", which means that it changes by at most a twentieth.
//!
//! 1. `my_dot()`: the entropy of the weights, with the scores $q \cdot k$.
//! 2. `my_scaled()`: the entropy, with the scores $q \cdot k / \sqrt D$.
//! 3. `my_match()`: the same as in 2, but one of the 32 keys is equal to the query.
//! 4. `my_gradient()`: the norm of the gradient of the scores, with the scores $q \cdot k$. The
//!    derivatives $g_j$ with respect to the weights are random, with mean 0 and variance 1.
//! 5. `my_variance()`: the variance of the scores if they are divided by $D$ instead of
//!    $\sqrt D$: $q \cdot k / D$.
//! 6. `my_limit()`: which number does the entropy of the weights come close to, with the scores
//!    of 5?
//!
//! Level 1 of 3, about 10 minutes.
#include <string>

#include "lessons/course/exercise/write.h"

std::string my_dot() { not_written(); }

std::string my_scaled() { not_written(); }

std::string my_match() { not_written(); }

std::string my_gradient() { not_written(); }

std::string my_variance() { not_written(); }

double my_limit() { not_written(); }
