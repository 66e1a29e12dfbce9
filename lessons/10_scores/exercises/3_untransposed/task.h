//! # It trains, and it is wrong
//!
//! *Find the bug.* The function below is the attention of lesson {scores} with scaled scores, for
//! $B$ examples at once. It has no error that stops it. A network with it trains, its loss falls,
//! and its weights sum to 1. But it is wrong. Four laws that an attention should obey are:
//!
//! * "distribution": the weights of a query are not negative and sum to 1;
//! * "permutation": if keys and values are put into another order, both in the same way, the
//!   context stays as it was, because each value goes with its key;
//! * "batch rows": each example gets the result that it would get alone;
//! * "gradient": the gradient agrees with finite differences.
//!
//! 1. `my_broken_law()` returns the name of the one that this function breaks.
//! 2. Mend `my_attention`. One line is wrong.
//!
//! To begin with, take $D = 2$ and the three words of the lesson, (3, 0), (2, 1) and (0, 2). Write
//! down the matrix that the product needs, with a column for each key, and the one that this
//! function makes.
//!
//! `soft_attention(scores, value, mask)` is the library's step from scores to weights and context;
//! it is right.
//!
//! Builds on exercise {scores.1}.
//!
//! Level 2 of 3, about 10 minutes.
#include <cmath>
#include <string>

#include "lessons/course/exercise/write.h"

std::string my_broken_law() { not_written(); }

// query [B, Q, D], key [B, K, D], value [B, K, V]; the mask says which keys are allowed.
AttentionOutput my_attention(const Tensor& query, const Tensor& key, const Tensor& value,
                             const Tensor& mask) {
    const int64_t B = key.size(0), K = key.size(1), D = key.size(2);
    const Tensor columns = reshape(key, {B, D, K});  // a column for each key
    const Tensor scores = matmul(query, columns) / std::sqrt(static_cast<double>(D));  // [B, Q, K]
    return soft_attention(scores, value, mask);
}
