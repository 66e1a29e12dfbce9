//! # An induction head by hand
//!
//! In lesson {circuits}, the weights of an induction head are blocks of a larger model. Write the
//! same head for vectors of width $3V$: columns 0 to $V - 1$ hold the letter, the next $V$ the
//! letter before, the last $V$ the answer. A letter is a vector with a single 1.
//!
//! `my_copy_head(V, s)` returns four matrices of size $3V \times 3V$. A token $x$ has the query
//! $W_Q x$, the key $W_K x$ and the value $W_V x$, and $W_O$ times the weighted mean of the values
//! is added to it. Scores are not divided by a root. Two things should be true:
//!
//! * The score is $s$ if the letter of the query is the one that the key has as its letter before,
//!   and otherwise 0.
//! * The letter of the token that is looked at is added to the group "answer", and nothing else.
//!
//! For $V = 2$, the first token of "a b" has the vector $(1, 0, 0, 0, 0, 0)$ and the second, with its
//! note, $(0, 1, 1, 0, 0, 0)$. If an "a" follows, $(1, 0, 0, 1, 0, 0)$, its score for the second token
//! is $s$, for itself and for the first 0.
//!
//! There are many solutions; the judge looks at the circuits. You have `eye`, `zeros`, `pad(x, axis,
//! before, after)`, `concat`, `matmul`, `transpose`.
//!
//! Builds on exercise {circuits.2}.
//!
//! Level 3 of 3, about 20 minutes.
#include "lessons/course/exercise/write.h"

struct Head {
    Tensor query, key, value, output;  // [3V, 3V]
};

Head my_copy_head(int64_t V, double s) { not_written(); }
