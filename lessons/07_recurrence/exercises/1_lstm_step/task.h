//! # One step of an LSTM
//!
//! The LSTM of lesson {recurrence} has two states and three gates. Write one step of it:
//!
//! $$ f = \sigma(a_f), \quad i = \sigma(a_i), \quad n = \tanh(a_n), \quad o = \sigma(a_o), $$
//! $$ c_t = f \, c_{t-1} + i \, n, \qquad h_t = o \, \tanh(c_t) , $$
//!
//! with $a_f = W_f h_{t-1} + U_f x_t + b_f$, and $a_i$, $a_n$ and $a_o$ in the same way. The four
//! matrices $W$ are stored as one, `W`: its first $D$ rows are $W_f$, the next $D$ rows are $W_i$,
//! then come $W_n$ and $W_o$. `U` and `b` have their rows in the same order. So one product
//! computes all four at once.
//!
//! There are $B$ lists in a batch, so the states are matrices with $B$ rows, a row for each list.
//!
//! An example with $D = 1$: all weights are 0, $b_f = 3$, $b_n = 1$, and the others are 0. From
//! $c_{t-1} = 2$ follows $c_t = 0.953 \cdot 2 + 0.5 \cdot 0.762 = 2.286$ and $h_t = 0.5 \cdot
//! \tanh(2.286) = 0.490$.
//!
//! You have `matmul`, `transpose`, `sigmoid`, `tanh`, arithmetic, and `slice(x, axis, begin, end)`,
//! which takes the indices from `begin` to `end - 1` of an axis.
//!
//! A part of your own translator: `./heed learn translation --mine`.
//!
//! Level 2 of 3, about 15 minutes.
#include "lessons/course/exercise/write.h"

struct Weights {
    Tensor W, U, b;  // [4 D, D], [4 D, X], [4 D]
};
struct States {
    Tensor c, h;  // [B, D]
};

States my_lstm_step(const Weights& weights, const Tensor& x, const States& before) {  // x [B, X]
    not_written();
}
