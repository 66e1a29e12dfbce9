//! # A convolution along the frames
//!
//! Write the depthwise convolution of the Conformer (lesson {speech}). The input $h$ has $T$ frames
//! with $C$ channels. Each channel $c$ has a kernel of $K$ numbers of its own, $w_{1,c}$ to
//! $w_{K,c}$, and a bias $b_c$; $K$ is odd.
//!
//! $$ z_{t,c} = b_c + \sum_{k=1}^{K} w_{k,c} \, h_{t + k - (K+1)/2,\, c} $$
//!
//! Beyond the first and the last frame $h$ counts as 0, so the result has as many frames as $h$. A
//! word may have fewer frames than the kernel has numbers.
//!
//! `my_depthwise(h, w, b)` returns $z$. In C++ indices begin with 0, so the row `k` of `w` belongs
//! to $k + 1$ in the formula.
//!
//! With one channel $h = (1, 3, 2)$, $w = (-1, 0, 1)$ and $b = 0$, the result is $(3, 1, -3)$.
//!
//! You have `pad(x, axis, before, after)`, which adds zeros, `slice(x, axis, begin, end)`, and
//! `select(x, axis, index)`. The library's convolutions are not allowed.
//!
//! Level 2 of 3, about 15 minutes.
#include "lessons/course/exercise/write.h"

Tensor my_depthwise(const Tensor& h, const Tensor& w, const Tensor& b) {  // [T, C], [K, C], [C]
    not_written();
}
