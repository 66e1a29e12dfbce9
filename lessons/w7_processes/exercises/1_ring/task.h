//! # What a ring sends
//!
//! *With pencil and paper.* Workshop {processes}: processes average their gradients in a ring. All
//! numbers are float32.
//!
//! 1. `my_sent()`: four processes train a model with one million parameters. How many million bytes
//!    does each process send in a step?
//! 2. `my_curve()`: the bytes that each process sends in a step, **divided by** $(n - 1)/n$, are drawn
//!    against the number $n$ of processes. How does the curve look, in one of four words: "rises",
//!    "falls", "flat", or "valley", which means that it falls first and rises afterwards?
//!
//! One million is $10^6$. A formula in C++ will do as well as a number.
//!
//! Level 1 of 3, about 5 minutes.
#include <string>

#include "lessons/course/exercise/write.h"

double my_sent() { not_written(); }

std::string my_curve() { not_written(); }
