//! # Count with a pencil
//!
//! *Pencil.* Lesson {why_attention} counts the operations of a GRU layer and of an attention layer.
//! Here are five more questions of this kind. Return each number; the program need not compute
//! anything, but it may. All vectors have the width $D$, and a sequence has $T$ of them.
//!
//! 1. `my_gru_work()`: the multiply-adds of a GRU layer with $T = 32$ and $D = 128$.
//! 2. `my_attention_work()`: those of an attention layer, with the same $T$ and $D$.
//! 3. `my_lstm_crossing()`: an LSTM has four pairs of matrices at each step where a GRU has three. For
//!    which $T$ do an LSTM layer and an attention layer need the same number of multiply-adds, with $D =
//!    128$?
//! 4. `my_way()`: two attention layers follow one another, nothing between. How many operations has
//!    the shortest path from the first input to the last result of the second layer?
//! 5. `my_waiting()`: how many operations has the longest chain in these two layers?
//!
//! Count as in the lesson: scores and the mean of the values count as work, the softmax does not; a
//! transposition is no operation.
//!
//! Level 1 of 3, about 10 minutes.
#include "lessons/course/exercise/write.h"

double my_gru_work() { not_written(); }

double my_attention_work() { not_written(); }

double my_lstm_crossing() { not_written(); }

double my_way() { not_written(); }

double my_waiting() { not_written(); }
