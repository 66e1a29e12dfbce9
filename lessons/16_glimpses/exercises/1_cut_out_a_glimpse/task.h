//! # Cut out a glimpse
//!
//! The network of lesson {glimpses} sees a picture through small squares. Cut one out. A picture
//! has $Y$ rows and $X$ columns. The location $(x, y)$ is the centre of the square: $(-1, -1)$ is
//! the upper left corner of the picture, $(0, 0)$ its centre, $(1, 1)$ its lower right corner. So
//! $x$ lies $(x + 1) X / 2$ pixels right of the left edge, and the square of `size` by `size`
//! pixels begins half its side further left, at
//!
//! $$ \text{left} = \frac{(x + 1) X - \text{size}}{2} , $$
//!
//! rounded to the next whole number (`std::floor` of the number plus 0.5). The row at which it
//! begins follows in the same way from $y$ and $Y$. Pixels outside the picture are 0.
//!
//! In a picture of 4 rows and 6 columns, a glimpse of 2 by 2 pixels at $(0, 0)$ begins at column 2
//! and row 1. At $(1, 1)$ it begins at column 5 and row 3, and three of its four pixels are 0.
//!
//! The picture must get its gradient, so cut with `slice` and `pad`. The
//! location may lie far outside.
//!
//! You have `slice(x, axis, begin, end)`, `pad(x, axis, before, after)`, which adds zeros, and
//! `picture.size(axis)`.
//!
//! Level 2 of 3, about 15 minutes.
#include <cmath>

#include "lessons/course/exercise/write.h"

Tensor my_glimpse(const Tensor& picture, double x, double y,
                  int64_t size) {  // [Y, X] -> [size, size]
    not_written();
}
