//! # Gradients by distance
//!
//! *Predict the plot.* Here a state is a single number. Each curve shows the derivative of the last
//! state with respect to the state $d$ steps before, without its sign. Say how it looks, in one of
//! four words: "rises", "falls", "flat", or "valley", which means that it falls first and rises
//! afterwards.
//!
//! 1. `my_linear()`: $h_t = 0.9 \, h_{t-1} + x_t$, against the distance $d$, from 1 to 50.
//! 2. `my_tanh()`: $h_t = \tanh(h_{t-1})$, where all states are 0; against $d$, from 1 to 50.
//! 3. `my_saturated()`: $h_t = \tanh(2 \, h_{t-1})$. The states have settled at 0.9575, where
//!    $\tanh(2 \cdot 0.9575) = 0.9575$. Against $d$, from 1 to 50.
//! 4. `my_gate()`: $h_t = z \, h_{t-1} + (1 - z) \, x_t$ with the gate $z = \sigma(b)$. Now the
//!    distance is always 50, and the curve stands over the bias $b$, from 0 to 5.
//! 5. `my_distance()`: in the first case, at which whole distance is the derivative below a
//!    hundredth for the first time?
//!
//! The derivative of $\tanh$ is $1 - \tanh^2$. Builds on exercise {recurrence.3}.
//!
//! Level 1 of 3, about 10 minutes.
#include <string>

#include "lessons/course/exercise/write.h"

std::string my_linear() { not_written(); }

std::string my_tanh() { not_written(); }

std::string my_saturated() { not_written(); }

std::string my_gate() { not_written(); }

double my_distance() { not_written(); }
