//! # The loss that trains the locations
//!
//! Lesson {glimpses} trains the mean $\mu$ of each location with REINFORCE. Write this term of the
//! loss, so that its gradient with respect to $\mu$ is the estimate of the lesson:
//!
//! $$ (L - b) \, \frac{\ell - \mu}{\sigma^2} $$
//!
//! for each coordinate of each location. There are $B$ pictures with $T$ locations each. `mu` and
//! `at` hold $\mu$ and $\ell$ and have the shape `[B, T, 2]`. `L` has one loss for each picture,
//! which counts for all its locations. `b` has a baseline for each location, `[B, T]`. The result
//! is a single number: the sum over coordinates and locations, and the mean over the pictures.
//!
//! Its gradient may reach $\mu$ only. The location was computed as $\mu + \sigma \epsilon$, perhaps
//! on the tape. The layer that computes the baseline is trained by another term. Use `detach`.
//!
//! For example, $\mu = 0.2$, $\ell = 0.37$, $\sigma = 0.17$, $b = 0.3$ and $L = 1$. The gradient is
//! 4.12. For $L = 0$ it is -1.76.
//!
//! The library's functions for locations and for REINFORCE are not allowed.
//!
//! You have `square`, `sum(x, axis)`, `mean`, `unsqueeze(x, axis)`, `detach` and arithmetic.
//!
//! Builds on lesson {reinforce}.
//!
//! Level 3 of 3, about 20 minutes.
#include "lessons/course/exercise/write.h"

// mu [B, T, 2], at [B, T, 2], L [B], b [B, T] -> a single number, []
Tensor my_location_loss(const Tensor& mu, const Tensor& at, const Tensor& L, const Tensor& b,
                        double sigma) {
    not_written();
}
