//! # Cross-entropy that does not overflow
//!
//! Another part of your own engine is the loss. For a row of logits $z$ and the outcome $y$ it is,
//! by lesson {probabilities},
//!
//! $$ L = -\ln p_y = \ln \sum_k e^{z_k} - z_y . $$
//!
//! Write `my_cross_entropy(logits, labels)`. There are $N$ rows of $C$ logits, and one label for
//! each row, the index of what happened. The result is one number, the mean of the losses of all
//! rows.
//!
//! For three words with the logits 2, 1, 0 and the outcomes am, am, saw (0, 0, 2), it is the mean
//! of 0.4076, 0.4076 and 2.4076, which is 1.074. The logits 1000 and 0 with the outcome 1 have the
//! loss 1000, not infinity. So do not compute a softmax and its logarithm afterwards.
//!
//! You have `exp`, `log`, `mean`, and `sum(x, axis, keep)` and `max(x, axis, keep)`, whose axis
//! stays with the size 1 if `keep` is true. `detach(x)` is $x$ as a constant. And
//! `gather(x, 1, labels.reshaped({N, 1}))` takes from each row of $x$ the number at the index of its
//! label; its shape is [N, 1].
//!
//! Builds on exercise {probabilities.1}.
//!
//! A part of your own translator: `./heed learn translation --mine`.
//!
//! Level 2 of 3, about 15 minutes.
#include "lessons/course/exercise/write.h"

Tensor my_cross_entropy(const Tensor& logits, const Indices& labels) {  // [N, C], [N] -> []
    not_written();
}
