//! # Which units stay equal?
//!
//! *Predict.* A network as in lesson {learning} has six hidden units: $h = \tanh(W x + b)$ and
//! $z = w \cdot h + b'$. It has $12 + 6 + 6 + 1 = 25$ parameters. It is trained by gradient descent
//! on all points of a training set, in which one class is more frequent than the other. Answer
//! without running anything. The judge then trains the three networks and compares.
//!
//! **A.** The initial parameters are, with $b' = 0$:
//!
//! | unit | row of $W$ | $b$ | $w$ |
//! | --- | --- | --- | --- |
//! | 1 | 0.5, 0.5 | 0 | 1 |
//! | 2 | 0.5, 0.5 | 0 | 1 |
//! | 3 | 0.5, 0.5 | 0 | 2 |
//! | 4 | -0.5, 0.2 | 0 | 1 |
//! | 5 | -0.5, 0.2 | 0 | 1 |
//! | 6 | -0.5, 0.2 | 0.1 | 1 |
//!
//! After 100 steps, how many *different* units are there? Units that are equal count once.
//!
//! **B.** All 25 parameters are 0. How many of them have changed after 100 steps?
//!
//! **C.** $W$, $b$ and $b'$ are 0, but $w$ has six different numbers, none of them 0. How many
//! different rows does $W$ have after one step?
//!
//! Level 2 of 3, about 10 minutes.
#include "lessons/course/exercise/write.h"

double my_different_units() { not_written(); }  // A

double my_changed_parameters() { not_written(); }  // B

double my_different_rows() { not_written(); }  // C
