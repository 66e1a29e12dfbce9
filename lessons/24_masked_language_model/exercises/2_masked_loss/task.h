//! # Asked at the gaps only
//!
//! Write the loss of lesson {masked_language_model}. `my_masked_loss(logits, labels)` gets the
//! logits of $B$ texts of $T$ tokens, of shape [B, T, V], and the labels: the right word at a
//! chosen position, -100 elsewhere. `labels[i]` is label $i$, counted text by text. It returns a
//! tensor of shape [], with
//!
//! $$ L = - \frac{1}{|M|} \sum_{i \in M} \ln p_i , $$
//!
//! where $M$ holds all chosen positions of all texts together, and $p_i$ is the probability of the
//! right word at position $i$: the softmax of the $V$ logits there. If nothing is chosen, the loss is
//! 0, and never NaN. Logits of 1,000 must do no harm.
//!
//! The example of the lesson: at the two chosen positions of five, the logits are (2, 1, 0) and (0, 0,
//! 0), and the words 0 and 2 are right. The loss is (0.4076 + 1.0986) / 2 = 0.7531.
//!
//! The loss is differentiated, so the numbers must stay tensors. You have `log_softmax`, `reshape`,
//! `select(x, axis, index)`, `sum`, `scalar` and arithmetic. `cross_entropy` is not allowed. Builds on
//! exercise {probabilities.2}.
//!
//! Level 2 of 3, about 15 minutes.
#include "lessons/course/exercise/write.h"

Tensor my_masked_loss(const Tensor& logits, const Indices& labels) {  // [B, T, V], [B, T] -> []
    not_written();
}
