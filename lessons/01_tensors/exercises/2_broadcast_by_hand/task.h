//! # Broadcasting by hand
//!
//! Lesson {tensors} gives the rule by which two tensors of different shapes are added. Write it
//! down as a program. There are no tensors here: a shape is a list of sizes, and the numbers lie in
//! one row of memory.
//!
//! 1. `my_shape(a, b)` returns the shape of the sum of two tensors with the shapes `a` and `b`. If
//!    they do not fit, it throws: `check(false, "they do not fit")` does that. From {5, 1, 7} and
//!    {4, 1} it makes {5, 4, 7}; {2, 3} and {2} do not fit.
//! 2. `my_strides(shape, result)` returns one stride for each axis of `result`, with which a tensor
//!    of this shape, stored row by row, is read as if it had the shape `result`. From {2, 1} and
//!    {4, 2, 3} it makes {0, 1, 0}: the first and the last axis are repeated.
//! 3. `my_sum(x, x_shape, y, y_shape)` returns the numbers of $x + y$, row by row. `x` and `y` hold
//!    the numbers, also row by row. Do not copy them into a larger block first.
//!
//! Builds on exercise {tensors.1}.
//!
//! Level 2 of 3, about 20 minutes.
#include <vector>

#include "lessons/course/exercise/write.h"

using Sizes = std::vector<int64_t>;
using Elements = std::vector<double>;

Sizes my_shape(const Sizes& a, const Sizes& b) { not_written(); }

Sizes my_strides(const Sizes& shape, const Sizes& result) { not_written(); }

Elements my_sum(const Elements& x, const Sizes& x_shape, const Elements& y, const Sizes& y_shape) {
    not_written();
}
