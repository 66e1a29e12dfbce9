//! # The better of two
//!
//! Write the loss of direct preference optimisation for $N$ pairs of answers,
//!
//! $$ L = -\frac{1}{N} \sum \ln \mathrm{sigmoid}\Big( \beta \ln \frac{\pi(w)}{\pi_0(w)} - \beta \ln
//!    \frac{\pi(l)}{\pi_0(l)} \Big) . $$
//!
//! `my_dpo(better, worse, better_at_start, worse_at_start, beta)` gets the *logarithms* $\ln
//! \pi(w)$, $\ln \pi(l)$, $\ln \pi_0(w)$, $\ln \pi_0(l)$. Answers are long, so these can be numbers
//! like $-300$: the loss must stay finite where the difference is $-2000$.
//!
//! For example, if the better answer has become twice as probable, the worse one half as probable,
//! and $\beta = 1$, the loss is $-\ln 0.8 = 0.223$.
//!
//! You have `softplus`, $\ln(1 + e^x)$, besides `exp`, `log`, `sigmoid` and `mean`.
//!
//! Level 2 of 3, about 10 minutes.
#include "lessons/course/exercise/write.h"

// all [N] -> []
Tensor my_dpo(const Tensor& better, const Tensor& worse, const Tensor& better_at_start,
              const Tensor& worse_at_start, double beta) {
    not_written();
}
