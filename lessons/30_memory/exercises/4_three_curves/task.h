//! # Which curve is it?
//!
//! *Predict the plot.* Lesson {memory} counts the bytes of a training step. For each of three plots,
//! say how the curve looks, in one of four words: "rises", "falls", "flat", or "valley", which
//! means that it falls first and rises afterwards, and rises clearly.
//!
//! 1. `my_first()`: bytes in use with checkpoints, against the number $n$ of pieces, for $n = 1, 2,
//!    3, 4, 6, 12$. There are $L = 12$ layers, and a layer keeps $c = 17$ vectors.
//! 2. `my_second()`: the same for $L = 100$ layers with $c = 4$, against $n = 1, 2, 5, 10, 20, 50,
//!    100$.
//! 3. `my_lowest()`: at which of these $n$ is the second curve lowest?
//! 4. `my_third()`: bytes of the activations of reversible layers, computed backwards, against the
//!    depth $L$. The bytes of parameters and their gradients are not counted.
//!
//! Use the formulas of the lesson, not your memory of a plot.
//!
//! Level 1 of 3, about 10 minutes.
#include <string>

#include "lessons/course/exercise/write.h"

std::string my_first() { not_written(); }

std::string my_second() { not_written(); }

double my_lowest() { not_written(); }

std::string my_third() { not_written(); }
