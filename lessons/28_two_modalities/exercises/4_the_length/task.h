//! # A length that was read out
//!
//! *Find the bug.* `my_unit` should divide each row of $x$ by its length, as both encoders of
//! lesson {two_modalities} do at their end. `my_scores` is the table of the cosines, divided by
//! $\tau$. All numbers are right. The network trains, and its loss falls. But the functions break a
//! law. Four laws are:
//!
//! * "length": a vector that is twice as long gives the same scores;
//! * "pairs apart": the score of a picture and a caption depends on these two vectors only;
//! * "symmetry": if pictures and captions are exchanged, the table is transposed;
//! * "gradient": the gradients agree with finite differences.
//!
//! 1. `my_broken_law()` returns the name of the one that is broken.
//! 2. Mend `my_unit`. A vector is never zero.
//!
//! To begin with, take one row, $x = (3, 4)$, and make it a little longer in its own direction. By
//! how much does the unit vector change? Builds on exercise {two_modalities.1}.
//!
//! Level 2 of 3, about 10 minutes.
#include <cmath>
#include <string>
#include <vector>

#include "lessons/course/exercise/write.h"

std::string my_broken_law() { not_written(); }

Tensor my_unit(const Tensor& x) {  // [N, D] -> [N, D]
    std::vector<double> lengths;
    for (int64_t i = 0; i < x.size(0); ++i) {
        double squares = 0;
        for (int64_t d = 0; d < x.size(1); ++d) squares += x.at({i, d}) * x.at({i, d});
        lengths.push_back(std::sqrt(squares));
    }
    return x / tensor(lengths, {x.size(0), 1}, x.dtype());
}

Tensor my_scores(const Tensor& a, const Tensor& b, double tau) {  // [N, D], [N, D] -> [N, N]
    return matmul(my_unit(a), transpose(my_unit(b))) / tau;
}
