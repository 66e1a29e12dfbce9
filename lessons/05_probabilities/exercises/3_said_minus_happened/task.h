//! # What the network said, minus what happened
//!
//! Lesson {probabilities} finds that the gradient of the loss with respect to the logits is
//! $p - y$. Write it down without any differentiation by the engine:
//! `my_gradient(logits, labels, s)` returns the gradient of the *mean* loss of $N$ rows, for a
//! training with label smoothing (workshop {calibration}). The target of a row is then
//!
//! $$ q_j = (1 - s) \, y_j + \frac{s}{C}, $$
//!
//! where $y_j$ is 1 for the label of the row and 0 otherwise, $C$ is the number of outcomes, and
//! $s$ is the share that is spread over all outcomes. With $s = 0$, the target is $y$ itself.
//!
//! For one word with the logits 2, 1, 0, when "saw" came, the result is $(0.665, 0.245, -0.910)$. With two
//! such words, each row is half of that, because each word is half of the mean.
//!
//! You have `softmax` (or your own, from exercise {probabilities.1}), `one_hot(labels, C, dtype)`
//! and arithmetic.
//!
//! A part of your own translator: `./heed learn translation --mine`.
//!
//! Level 1 of 3, about 10 minutes.
#include "lessons/course/exercise/write.h"

Tensor my_gradient(const Tensor& logits, const Indices& labels,
                   double s) {  // [N, C], [N] -> [N, C]
    not_written();
}
