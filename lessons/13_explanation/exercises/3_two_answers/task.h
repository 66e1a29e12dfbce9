//! # How different are two answers?
//!
//! Lesson {explanation} compares answers and weights before and after a change. It uses two
//! measures for two lists of probabilities. Write both.
//!
//! 1. `my_distance(p, q)` is the total variation distance, $\frac{1}{2} \sum_i |p_i - q_i|$. For
//!    $(0.9, 0.1)$ and $(0.6, 0.4)$ it is 0.3.
//! 2. `my_divergence(a, b)` is the Jensen-Shannon divergence. With the mean $m_i = (a_i + b_i) / 2$
//!    of the two lists,
//!
//! $$ \operatorname{JS}(a, b) = \tfrac{1}{2} \operatorname{KL}(a \| m) + \tfrac{1}{2}
//! \operatorname{KL}(b \| m), \qquad \operatorname{KL}(a \| m) = \sum_i a_i \ln (a_i / m_i) .
//! $$
//!
//! For $(1, 0)$ and $(0, 1)$ it is $\ln 2$. A weight can be 0, and there the term $a_i \ln (a_i /
//! m_i)$ is 0. For small $a_i$ it goes to 0, because $a_i$ goes to 0 faster than its logarithm
//! grows. But a computer finds $0 \cdot \ln 0 = 0 \cdot (-\infty)$, which is NaN. So leave such
//! terms out. Both lists may have a 0 at the same index.
//!
//! The lists have the same length, and their numbers sum to 1.
//!
//! Level 1 of 3, about 10 minutes.
#include <cmath>
#include <vector>

#include "lessons/course/exercise/write.h"

using List = std::vector<double>;

double my_distance(const List& p, const List& q) { not_written(); }

double my_divergence(const List& a, const List& b) { not_written(); }
