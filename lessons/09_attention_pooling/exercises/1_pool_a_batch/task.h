//! # Pool a batch of documents
//!
//! Write the attention pooling of lesson {attention_pooling} for a batch of $B$ documents. Each has
//! $N$ words, of which some are padding, and each word is a vector $x_j$ with $D$ numbers:
//!
//! $$ e_j = q \cdot \tanh(W x_j + b), \qquad \alpha_j = \frac{e^{e_j}}{\sum_k e^{e_k}}, \qquad
//!    c = \sum_j \alpha_j x_j . $$
//!
//! The softmax runs over the words of one document. The mask is 1 at words and 0 at padding.
//! Padding gets the weight exactly 0, and the weights of the words of a document sum to 1. A
//! document without any word gets a context of zeros.
//!
//! `my_pool(words, mask, pooling)` returns the contexts. Padding may contain any numbers, even
//! infinity and NaN, and scores may be as large as 1000: the result is never NaN.
//!
//! You have `matmul`, `transpose`, `tanh`, `softmax(x, axis)`, `sum(x, axis)`, `unsqueeze(x,
//! axis)`, arithmetic, and `where(mask, x, number)`, which is `x` where the mask is 1 and the
//! number elsewhere. The library's masked softmax is not allowed.
//!
//! Level 2 of 3, about 15 minutes.
#include "lessons/course/exercise/write.h"

struct Pooling {
    Tensor q, W, b;  // [E], [E, D], [E]
};

Tensor my_pool(const Tensor& words, const Tensor& mask, const Pooling& pooling) {
    not_written();  // words [B, N, D], mask [B, N] -> [B, D]
}
