//! # The mask comes too late
//!
//! *Find the bug.* The function below is the attention of lesson {self_attention} for a network
//! that predicts the next word. Its mask is applied after the softmax. It trains, and all weights
//! of later tokens are
//! 0. Still it breaks laws.
//!
//! 1. `my_sum(e, allowed)` returns what the weights of one query sum to in the *broken* version,
//!    for the scores $e$ of one query when only the first `allowed` keys may be read. For the
//!    scores 1, 0, 3 with two allowed keys it is 0.156.
//! 2. `my_influence()`: in the broken version, the score of a *forbidden* key becomes larger. Does
//!    every number of the context stay as it is, get farther from 0 or get nearer to 0? Return
//!    "nothing", "it grows" or "it shrinks".
//! 3. Mend `my_attention`. Only the function with the mask is wrong. Every query may attend to at
//!    least one key. Do not divide the wrong weights by their sum: if a forbidden score is large,
//!    all of them are 0 on a computer.
//!
//! You have `where(mask, x, number)`. `masked_softmax` and the attention of the library are not
//! allowed.
//!
//! Level 2 of 3, about 10 minutes.
#include <cmath>
#include <string>
#include <vector>

#include "lessons/course/exercise/write.h"

double my_sum(const std::vector<double>& e, int64_t allowed) { not_written(); }

std::string my_influence() { not_written(); }

// query [Q, D], key [K, D], value [K, V], mask [Q, K] of 0 and 1 -> context [Q, V], weights [Q, K]
AttentionOutput my_attention(const Tensor& query, const Tensor& key, const Tensor& value,
                             const Tensor& mask) {
    const Tensor scores =
        matmul(query, transpose(key)) / std::sqrt(static_cast<double>(key.size(1)));
    const Tensor weights = softmax(scores, -1) * mask;
    return {matmul(weights, value), weights};
}
