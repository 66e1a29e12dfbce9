//! # One word against a hundred
//!
//! *With pencil and paper.* Lesson {attention_pooling} has a document with one telling word of
//! score 8 and $n$ everyday words of score 0. The weight of the telling word is $e^8 / (e^8 + n)$,
//! and with 10,000 everyday words only 0.230 is left. So the score has to grow with the length of
//! the document.
//!
//! A document has one telling word and 100 everyday words. All everyday words have the score 0.
//! Which score does the telling word need so that its weight is 0.9?
//!
//! `my_score()` returns it. The second question is about the formula: the number of everyday words
//! becomes ten times as large. By how much has the score to grow so that the weight stays 0.9?
//! `my_growth()` returns this difference.
//!
//! It is enough to be right to two decimals. You may let C++ compute with `std::log`.
//!
//! Level 1 of 3, about 5 minutes.
#include <cmath>

#include "lessons/course/exercise/write.h"

double my_score() { not_written(); }

double my_growth() { not_written(); }
