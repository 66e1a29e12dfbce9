//! # Sixty steps back
//!
//! *Predict the plot.* A gradient goes back $d$ steps. For each of five plots of its size against
//! $d$, from 1 to 60, say how the curve looks: "rises", "falls", or "flat", which means that it
//! changes by at most a twentieth.
//!
//! 1. `my_first()`: the plain cell of lesson 07 with a state of one number and $w = 2$. The first
//!    input is 1 and all others are 0, so the state stays near 0.96. The gradient is the
//!    derivative of $h_{61}$ with respect to $h_{61 - d}$.
//! 2. `my_second()`: a cell without $\tanh$, $h_t = W h_{t-1} + x_t$, with an orthogonal matrix
//!    $W$.
//! 3. `my_third()`: the plain cell. $W$ is an orthogonal matrix times $\rho = 1.2$, and at each
//!    step the derivatives of $\tanh$ multiply the length by $s = 0.8$.
//! 4. `my_fourth()`: the same with $\rho = 1.5$ and $s = 0.8$.
//! 5. `my_border()`: with $s = 0.8$, for which $\rho$ is the curve flat?
//! 6. `my_fifth()`: a GRU before training. The bias of the gate $z$ is 3. Count only the factors
//!    $z$.
//!
//! Work out the factor of one step each time.
//!
//! Level 1 of 3, about 10 minutes.
#include <string>

#include "lessons/course/exercise/write.h"

std::string my_first() { not_written(); }

std::string my_second() { not_written(); }

std::string my_third() { not_written(); }

std::string my_fourth() { not_written(); }

double my_border() { not_written(); }

std::string my_fifth() { not_written(); }
