//! # The fewest characters that are enough
//!
//! Write top-p sampling of lesson {language_model}. `my_top_p(probabilities, p)` gets the
//! probabilities of all characters and returns the distribution to sample from:
//!
//! * it keeps the fewest characters whose probabilities sum to at least $p$, the most probable first;
//! * the probability of all others becomes 0;
//! * what was kept is divided by its sum.
//!
//! Every character keeps its place in the list. At least one character is kept. No two probabilities are
//! equal in what the judge asks.
//!
//! The example of the lesson: from 0.665, 0.245 and 0.090 with $p = 0.8$ the result is 0.731, 0.269 and
//! 0. The first alone is not enough, and the second passes 0.8.
//!
//! Level 1 of 3, about 10 minutes.
#include <vector>

#include "lessons/course/exercise/write.h"

std::vector<double> my_top_p(const std::vector<double>& probabilities, double p) { not_written(); }
