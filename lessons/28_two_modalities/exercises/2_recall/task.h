//! # Recall, and classes without examples
//!
//! Two ways to judge the vectors of lesson {two_modalities}.
//!
//! 1. `my_recall(scores, k)` returns the recall at $k$. Row $i$ of `scores` has the scores of
//!    picture $i$ with all captions, and its own caption is number $i$. The recall is the share of
//!    the pictures whose own caption is among the $k$ best. If another caption has exactly the same
//!    score, it counts as better. Otherwise a network that gives the same vector to everything
//!    would be perfect.
//! 2. `my_classes(pictures, captions)` is zero-shot classification. There is one caption for each
//!    class. The result has one number for each picture: the index of the caption with the largest
//!    cosine. The vectors have any length. If two cosines are equal, take the first.
//!
//! In the row (0.8, 0.75, 0.7) of picture number 2, two captions are better than its own. It is not
//! among the best two, but it is among the best three.
//!
//! You have `scores.at({i, j})`, `scores.size(0)`, and all operations, also `norm(x, 2, axis,
//! keepdim)` and `argmax(x, axis)`.
//!
//! Level 1 of 3, about 15 minutes.
#include "lessons/course/exercise/write.h"

double my_recall(const Tensor& scores, int64_t k) {  // [N, N]
    not_written();
}

Indices my_classes(const Tensor& pictures, const Tensor& captions) {  // [N, D], [C, D] -> [N]
    not_written();
}
