//! # Longer and longer
//!
//! *Predict the plot.* Lesson {why_attention} counts what a GRU layer and an attention layer need.
//! The width is $D = 64$, and the length $T$ grows from 64 to 1024. Say how each curve looks:
//! "rises", "falls" or "flat", which means that it changes by at most a twentieth.
//!
//! 1. `my_gru()`: the multiply-adds of the GRU layer **divided by** $T$, against $T$.
//! 2. `my_attention()`: the same for the attention layer.
//! 3. `my_window()`: the same for attention in which each position reads only 32 positions: it
//!    computes 32 scores and a sum of 32 values.
//! 4. `my_waiting()`: the operations on the longest chain of the attention layer, against $T$.
//! 5. `my_share()`: the weight of the first state before training, against $T$. Take all weights
//!    as equal.
//! 6. `my_width()`: the multiply-adds of attention divided by those of the GRU, with $T = 256$,
//!    against the width $D$ from 16 to 1024.
//! 7. `my_twice()`: at which $T$ does attention need twice as many multiply-adds as the GRU, with
//!    $D = 64$?
//!
//! Builds on exercise {why_attention.1}.
//!
//! Level 1 of 3, about 10 minutes.
#include <string>

#include "lessons/course/exercise/write.h"

std::string my_gru() { not_written(); }

std::string my_attention() { not_written(); }

std::string my_window() { not_written(); }

std::string my_waiting() { not_written(); }

std::string my_share() { not_written(); }

std::string my_width() { not_written(); }

double my_twice() { not_written(); }
