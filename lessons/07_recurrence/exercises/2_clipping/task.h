//! # Clip a gradient
//!
//! One step on a cliff can destroy what was learned before. The repair of lesson {recurrence} is
//! clipping: a gradient $g$ whose norm is larger than $m$ is shortened to the norm $m$, and its
//! direction stays as it is:
//!
//! $$ g \leftarrow g \cdot \min \Big( 1, \frac{m}{|g|} \Big) . $$
//!
//! A network has several parameters, each with a gradient of its own shape. All their numbers
//! together are *one* vector $g$, with one norm: the root of the sum of all squares. If each
//! parameter were clipped alone, the direction would change.
//!
//! Write `my_clip(gradients, longest)`. It returns the clipped gradients in the same order, with
//! their shapes. `longest` is $m$. A short gradient stays exactly as it is, and so does a gradient
//! of zeros.
//!
//! An example: the two gradients (3, 4) and (12) have the common norm 13. With $m = 2.6$ they
//! become (0.6, 0.8) and (2.4).
//!
//! You have `sum`, which adds up all numbers of a tensor, `square`, arithmetic, and `x.item()`, the
//! only number of a tensor as a `double`.
//!
//! A part of your own translator: `./heed learn translation --mine`.
//!
//! Level 1 of 3, about 10 minutes.
#include <cmath>
#include <vector>

#include "lessons/course/exercise/write.h"

std::vector<Tensor> my_clip(const std::vector<Tensor>& gradients, double longest) { not_written(); }
