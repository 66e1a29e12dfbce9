//! # Where does this head look?
//!
//! Write the two scores of lesson {circuits} for one head and one text of $T$ tokens. The weights have
//! a row for each query.
//!
//! 1. `my_before(weights)`: the mean weight on the token before. The first token has none before it,
//!    so the mean is over the other $T - 1$.
//! 2. `my_after(weights, ids)`: for a token that has occurred before, the sum of its weights on all
//!    tokens that followed an earlier occurrence; and the mean of this over all such tokens. Unlike
//!    the strings of the lesson, these texts have no period. It is 0 if no token occurs twice.
//!
//! For example, let the text be "a b a" and the last row of the weights (0.1, 0.7, 0.2). The last
//! "a" has occurred before, at the first token, and "b" followed it there. So `my_after` is 0.7.
//!
//! You have `weights.at({i, j})`, one number of a tensor, `ids[i]`, one token, and `ids.count()`,
//! the number of tokens.
//!
//! Level 1 of 3, about 10 minutes.
#include "lessons/course/exercise/write.h"

double my_before(const Tensor& weights) {  // [T, T]
    not_written();
}

double my_after(const Tensor& weights, const Indices& ids) {  // [T, T], [T]
    not_written();
}
