//! # Where does this number stand?
//!
//! A pencil exercise. The tensor $x$ of lesson {tensors} has 4 rows and 6 columns. Its strides are
//! 6 and 1, and each of its numbers is equal to its own position in memory. We make a view of it in
//! two steps:
//!
//! 1. $s$ has the rows 1, 2 and 3 of $x$, and its columns 1, 3 and 5. So $s$ has the shape [3, 3].
//! 2. $y$ is the transpose of $s$.
//!
//! Give four numbers. Work them out on paper, and do not let the program compute them.
//!
//! * `my_first()`: the position in memory of the first element of $y$, $y_{00}$.
//! * `my_row_stride()`: the stride of the first axis of $y$, that is, how far a row is from the
//!   next.
//! * `my_column_stride()`: the stride of the second axis of $y$.
//! * `my_number()`: the number that stands in $y$ at row 2, column 1. Indices are counted from 0.
//!
//! Level 1 of 3, about 5 minutes.
#include "lessons/course/exercise/write.h"

double my_first() { not_written(); }
double my_row_stride() { not_written(); }
double my_column_stride() { not_written(); }
double my_number() { not_written(); }
