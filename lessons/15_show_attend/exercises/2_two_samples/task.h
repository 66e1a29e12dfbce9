//! # The bound with two samples, on paper
//!
//! *Pencil.* A picture has two patches. The network reads the first one with the probability 0.6
//! and the second one with 0.4. When it reads the first patch, it gives the right answer with the
//! probability 0.8. When it reads the second one, it gives the right answer with 0.2.
//!
//! Lesson {show_attend} has three numbers for such a picture. Compute them on paper and return
//! them, as negative numbers with at least three digits:
//!
//! 1. `my_log_marginal()`: the logarithm of the probability of the right answer, $\ln p(y)$.
//! 2. `my_bound_of_one()`: its lower bound with one sample, $E[\ln p(y \mid s)]$.
//! 3. `my_bound_of_two()`: the tighter bound from two samples,
//!
//! $$ E\Big[ \ln \frac{p(y \mid s_1) + p(y \mid s_2)}{2} \Big] . $$
//!
//! The two samples are drawn independently, so both may be the same patch. All logarithms are
//! natural ones. You may write an expression with `std::log`.
//!
//! Which order must the three numbers have?
//!
//! Builds on exercise {show_attend.1}.
//!
//! Level 1 of 3, about 10 minutes.
#include <cmath>

#include "lessons/course/exercise/write.h"

double my_log_marginal() { not_written(); }

double my_bound_of_one() { not_written(); }

double my_bound_of_two() { not_written(); }
