//! # Fixed weights, with a pencil
//!
//! Lesson {graphs} works out the graph convolution of three papers by hand. Papers 1 and 2 cite
//! paper 0. There are edges in both directions, and self-loops. The numbers on the papers are
//! $x = (1, 4, 7)$, with $W = 1$ and $b = 0$. The lesson computes $y_0 = 4.824$.
//!
//! 1. `my_y1()` returns $y_1$, the number of paper 1 after one graph convolution.
//! 2. `my_ratio()` returns $y_0 / y_1$ after very many graph convolutions, one after the other,
//!    without a nonlinearity. You need not compute them. The section on depth says what is left of
//!    $x$ after many layers.
//! 3. `my_ratio_of_means()` returns $y_0 / y_1$ after very many layers of another kind: each node
//!    takes the plain mean of the numbers at its neighbours and itself.
//!
//! Two digits behind the point are enough. A formula in C++ will do as well as a number:
//! `std::sqrt(2.)` is allowed.
//!
//! Level 1 of 3, about 10 minutes.
#include <cmath>

#include "lessons/course/exercise/write.h"

double my_y1() { not_written(); }

double my_ratio() { not_written(); }

double my_ratio_of_means() { not_written(); }
