//! # The decoder's block, and its logits
//!
//! The decoder of lesson {transformer} writes the translation. Its block has three sublayers where
//! the encoder's has two: self-attention, which must not see what comes later; cross-attention,
//! which looks at the source; and the feed-forward network. Write it with pre-norm.
//!
//! 1. `my_decoder_block(self, cross, network, x, memory)` returns the tokens after the block. Each
//!    of the three sublayers is $x \leftarrow x + f(\operatorname{norm}(x))$, in this order. `self`
//!    and `cross` are called as `attention(query, key, value, causal)`. Whose vectors are queries,
//!    and whose are keys and values? Which of the two is causal?
//! 2. `my_logits(x, embedding)` makes logits of what the last block returned. Nothing has normalised
//!    these sums yet. The logit of a word is the dot product of the token with the word's row of
//!    `embedding`, which is the matrix that the tokens came from (weight tying).
//!
//! The norm is `layer_norm(x)`, without learned scale and shift. The memory comes from an encoder
//! that ends with a norm, so it is used as it is.
//!
//! Let every attention return the last number of its queries, with zeros in place of the others, and
//! let the network return zeros. The token (1, 2, 6), whose norm is (-0.926, -0.463, 1.389), becomes
//! (1, 2, 7.389), and then (1, 2, 8.788).
//!
//! Level 2 of 3, about 15 minutes.
#include <functional>

#include "lessons/course/exercise/write.h"

using Sublayer = std::function<Tensor(const Tensor& x)>;  // [T, D] -> [T, D]
// [Q, D], [K, D], [K, D] -> [Q, D]; with `causal`, query i sees the keys up to i.
using Attention =
    std::function<Tensor(const Tensor& query, const Tensor& key, const Tensor& value, bool causal)>;

// [T, D], [S, D] -> [T, D]
Tensor my_decoder_block(const Attention& self, const Attention& cross, const Sublayer& network,
                        const Tensor& x, const Tensor& memory) {
    not_written();
}

// [T, D], [V, D] -> [T, V]
Tensor my_logits(const Tensor& x, const Tensor& embedding) { not_written(); }
