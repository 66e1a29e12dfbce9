//! # What it costs, with a pencil
//!
//! Take $T = 4{,}096$ tokens and heads of width $D = 64$, as in the formulas of lesson
//! {long_sequences}.
//!
//! 1. `my_layers()`: each token attends to the 64 tokens before it and the 64 after it. How many
//!    layers are needed until the last token can know something about the first one?
//! 2. `my_features()`: exact attention costs $2 T^2 D$ multiply-adds, Performer $4 T M D$ with $M$
//!    features. With how many features does Performer cost as much as exact attention?
//! 3. `my_more_features()`: with 64 features, an estimate of Performer has an error of 10 %. You
//!    want 2 %. How many independent features do you expect to need?
//! 4. `my_global_layers()`: the window of question 1 gets one global token. How many layers are
//!    needed now?
//!
//! Level 1 of 3, about 10 minutes.
#include <cmath>

#include "lessons/course/exercise/write.h"

double my_layers() { not_written(); }

double my_features() { not_written(); }

double my_more_features() { not_written(); }

double my_global_layers() { not_written(); }
