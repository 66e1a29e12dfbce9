//! # One step of momentum, and one of Adam
//!
//! Write the two optimisers of lesson {learning}. Each function gets the parameters $\theta$
//! (theta) and their gradient $g$, both tensors of the same shape, and a state that it changes. It
//! returns the new parameters.
//!
//! 1. `my_momentum(theta, g, state, rate)`: $v \leftarrow 0.9 \, v + g$ and $\theta \leftarrow
//!    \theta - \eta \, v$.
//! 2. `my_adam(theta, g, state, rate)`, where $n$ is 1 in the first step:
//!
//! $$ m \leftarrow 0.9 m + 0.1 g, \quad s \leftarrow 0.999 s + 0.001 g^2, \quad
//!    \theta \leftarrow \theta - \eta \frac{m / (1 - 0.9^n)}{\sqrt{s / (1 - 0.999^n)} + 10^{-8}} . $$
//!
//! The states begin with zeros of the shape of theta, and $n$ with 0. The rate is $\eta$.
//!
//! With $\theta = 1$, $\eta = 0.1$ and the gradients 2 and then -1, momentum leads to 0.8 and then
//! to 0.72, because $v$ is 2 and then 0.8. Adam's first step leads to 0.9. Its second one is small:
//! work it out, $m = 0.08$ and $s = 0.004996$, or let your function do it.
//!
//! You have arithmetic, `square` and `sqrt` for tensors, and `std::pow` for numbers.
//!
//! A part of your own translator: `./heed learn translation --mine`.
//!
//! Level 1 of 3, about 15 minutes.
#include <cmath>

#include "lessons/course/exercise/write.h"

struct MomentumState {
    Tensor v;
};

struct AdamState {
    Tensor m, s;
    int n = 0;  // steps so far
};

Tensor my_momentum(const Tensor& theta, const Tensor& g, MomentumState& state, double rate) {
    not_written();
}

Tensor my_adam(const Tensor& theta, const Tensor& g, AdamState& state, double rate) {
    not_written();
}
