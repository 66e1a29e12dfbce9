//! # A lamp with two switches
//!
//! Lesson {states} keeps the state of a lamp as one number that changes its sign. Now there are two
//! switches: one toggles the lamp, and one turns it *off*, whatever it was.
//!
//! Both fit into one linear recurrence, $s_t = a_t s_{t-1} + b_t$, with $s = 1$ for a lamp that is off
//! and $s = -1$ for one that is on.
//!
//! 1. `my_factor(toggle, off)` and `my_addend(toggle, off)` are $a_t$ and $b_t$. The arguments are 0
//!    or 1. If both switches are pressed at once, the lamp is off.
//! 2. `my_lamp(toggle, off)` gives for each step 1 if the lamp is on, and 0 if it is off. Before the
//!    first step the lamp is off.
//!
//! For example, the presses toggle 1, 0, 1, 1, 1 and off 0, 0, 0, 1, 0 give 1, 1, 0, 0, 1.
//!
//! Write `my_lamp` with your two functions and no `if` of its own: a model has only the recurrence.
//! In the two functions an `if` is allowed.
//!
//! You have `toggle[t]` and `toggle.count()`, and `tensor(numbers)` for a `std::vector<double>`.
//!
//! Level 2 of 3, about 10 minutes.
#include "lessons/course/exercise/write.h"

double my_factor(int toggle, int off) { not_written(); }

double my_addend(int toggle, int off) { not_written(); }

// toggle and off [T], numbers 0 and 1 -> [T]
Tensor my_lamp(const Indices& toggle, const Indices& off) { not_written(); }
