//! # It pools, and it is wrong
//!
//! *Find the bug.* `my_weights` computes the attention weights of lesson {attention_pooling} for a
//! batch of documents, with a mask that is 1 at words and 0 at padding. A classifier with it
//! trains, and its accuracy is good. But it is wrong. Four laws that the weights should obey are:
//!
//! * "distribution": the weights of a document are not negative and sum to 1;
//! * "masked words": a change of the vectors at padding changes no weight;
//! * "order": if the words of a document change places, their weights go with them;
//! * "padding": a document has the same weights alone and in a batch, where it is padded to the
//!   length of the longest one.
//!
//! 1. `my_broken_law()` returns the name of the one that is broken.
//! 2. Mend `my_weights`. One line is wrong. Compare it with the formula of the lesson, $e_j = q
//!    \cdot \tanh(W x_j + b)$.
//!
//! To begin with, take a document of two words with the scores 0 and 2, alone and with two more
//! positions of padding. Which weights does each get?
//!
//! Builds on exercise {attention_pooling.1}.
//!
//! Level 2 of 3, about 10 minutes.
#include <cmath>
#include <string>

#include "lessons/course/exercise/write.h"

struct Pooling {
    Tensor q, W, b;  // [E], [E, D], [E]
};

std::string my_broken_law() { not_written(); }

// words [B, N, D], mask [B, N] -> [B, N]
Tensor my_weights(const Tensor& words, const Tensor& mask, const Pooling& pooling) {
    const double N = static_cast<double>(words.size(1));
    const Tensor keys = tanh(matmul(words, transpose(pooling.W)) + pooling.b);  // [B, N, E]
    const Tensor scores = sum(keys * pooling.q, 2) / std::sqrt(N);              // [B, N]
    return softmax(where(mask, scores, -1e9), 1) * mask;
}
