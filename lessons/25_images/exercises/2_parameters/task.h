//! # How many numbers are learned?
//!
//! *Pencil.* Count what stands before the first block of the Vision Transformer of lesson {images}.
//! Pictures have 28 x 28 pixels with one number each, and the width is 48. The tokens are
//! $z_n = W p_n + b + e_n$ and, in front, the class token $c + e_0$.
//!
//! 1. `my_parameters_7()`: how many parameters have $W$, $b$, $c$ and all $e_n$ together, with patches of
//!    7 x 7 pixels?
//! 2. `my_parameters_14()`: and with patches of 14 x 14 pixels?
//! 3. `my_scores_14()`: how many scores does one head of one layer compute with patches of 14 x 14
//!    pixels? Count the class token, too.
//!
//! Builds on exercise {images.1}.
//!
//! Level 1 of 3, about 5 minutes.
#include "lessons/course/exercise/write.h"

double my_parameters_7() { not_written(); }

double my_parameters_14() { not_written(); }

double my_scores_14() { not_written(); }
