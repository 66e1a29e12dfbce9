//! # Kendall's tau
//!
//! Do the attention weights rank the words as the gradients do? Lesson {explanation} answers with
//! Kendall's tau. Go through all pairs of words. A pair is concordant if both lists rank its two
//! words in the same order, and discordant if they rank them in opposite orders:
//!
//! $$ \tau = \frac{\text{concordant} - \text{discordant}}{\text{all pairs}} . $$
//!
//! Write `my_tau(a, b)` for two lists of the same length, with at least two words.
//!
//! Two words may have exactly the same number in a list. This list then does not rank them, and the
//! pair is neither concordant nor discordant. It still counts among all pairs.
//!
//! The numbers may be tiny: weights such as $10^{-200}$ occur in a sharp softmax. They are ranked
//! like all others.
//!
//! An example: the weights 0.5, 0.3, 0.15 and 0.05, and the gradients 4, 1, 2 and 0.5. Of six
//! pairs, only that of the second and the third word is discordant, so $\tau = (5 - 1) / 6 =
//! 0.667$.
//!
//! Level 1 of 3, about 10 minutes.
#include <vector>

#include "lessons/course/exercise/write.h"

double my_tau(const std::vector<double>& a, const std::vector<double>& b) { not_written(); }
