//! # Choose the gaps
//!
//! Hide words as BERT does (lesson {masked_language_model}). The ids 0 to 3 are special: padding,
//! [CLS], [SEP] and [MASK]. They are never chosen. The words have the ids 4 to `vocabulary - 1`.
//!
//! `my_gaps(ids, vocabulary, draw)` returns the text with gaps and the labels. `draw()` gives a random
//! number from 0 to below 1. For each word from left to right, draw one number.
//! The word is chosen if it is below 0.15. Then draw a second number at once:
//!
//! * below 0.8: the word becomes [MASK];
//! * from 0.8 to below 0.9: it becomes a random word. Draw a third number $u$; the id is $4 + \lfloor u
//!   (V - 4) \rfloor$, where $V$ is `vocabulary`;
//! * from 0.9: it stays.
//!
//! The label of a chosen word is its original id, all other labels are -100. Special ids draw no number.
//!
//! In the lesson's example, "captains rowed rafts today ." with the ids 4 to 8, the numbers are 0.61,
//! 0.09, 0.41, 0.72, 0.33, 0.12 and 0.93. The result is 4 3 6 7 8 with the labels -100 5 -100 -100 8.
//!
//! Level 1 of 3, about 10 minutes.
#include <functional>
#include <vector>

#include "lessons/course/exercise/write.h"

struct Gaps {
    std::vector<int> ids, labels;
};

Gaps my_gaps(const std::vector<int>& ids, int vocabulary, const std::function<double()>& draw) {
    not_written();
}
