//! # What a moving window costs
//!
//! In local-m (lesson {luong}), the window moves along with the output: for output word $t$ its
//! centre is the source index $t$. It covers the words whose index is at most $R$ away from the
//! centre, as far as they exist. The source has $K$ words. All indices begin at 0.
//!
//! 1. `my_window(t, K, R)` returns the window: the index of its first word in `begin`, and one more
//!    than the index of its last word in `end`. So it has `end - begin` words. If the output is
//!    longer than the source, the window leaves the sentence. Then it is empty, with `begin` equal
//!    to `end`.
//! 2. `my_scores(K, T, R)` returns how many scores are computed for an output of $T$ words: the sum
//!    of the sizes of all windows.
//!
//! With the five words of the lesson and $R = 2$, the window for $t = 1$ covers the indices 0 to 3,
//! so `begin` is 0 and `end` is 4. The windows of an output of four words have 3, 4, 5 and 4 words.
//! These are 16 scores. Global attention computes 20.
//!
//! Level 1 of 3, about 10 minutes.
#include <algorithm>

#include "lessons/course/exercise/write.h"

struct Window {
    int begin, end;
};

Window my_window(int t, int K, int R) { not_written(); }

int my_scores(int K, int T, int R) { not_written(); }
