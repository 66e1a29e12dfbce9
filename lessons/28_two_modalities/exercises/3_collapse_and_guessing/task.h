//! # Collapse, confidence and guessing, with a pencil
//!
//! Three numbers about lesson {two_modalities}.
//!
//! 1. `my_collapse()`: a network maps all pictures and all captions to the same vector. The
//!    attraction loss of the naive attempt is 0 then. What is the contrastive loss $L$ of a batch
//!    of 64 pairs, with $\tau = 0.07$?
//! 2. `my_probability()`: let the right caption of a picture have the cosine 1, and the other 63
//!    the cosine 0. With $\tau = 1$, the right caption gets the probability 0.04. What does it get
//!    with $\tau = 0.1$? Give four digits.
//! 3. `my_recall()`: a network recognises both signs, where each of them is, and how many of them
//!    are dark. It does not see *which* one is dark, and guesses. All four combinations of shades
//!    are equally frequent. What recall at 1 do you expect among all 720 scenes?
//!
//! Level 1 of 3, about 10 minutes.
#include <cmath>

#include "lessons/course/exercise/write.h"

double my_collapse() { not_written(); }

double my_probability() { not_written(); }

double my_recall() { not_written(); }
