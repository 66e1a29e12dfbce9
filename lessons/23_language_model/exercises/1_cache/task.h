//! # A cache of keys and values
//!
//! A head of a GPT generates a text. `head.query`, `head.key` and `head.value` are matrices of shape
//! [D, W]: the queries of the tokens `x` are `matmul(x, head.query)`, and so on. Write one step with
//! a key/value cache.
//!
//! `my_step(head, cache, x)` gets the vectors of $N$ new tokens. The cache holds the keys and values
//! of the $P$ tokens before them; at first it is empty (`cache.keys.defined()` is false). The step
//!
//! 1. appends the keys and values of the new tokens to the cache,
//! 2. returns the contexts of the new tokens only, of shape [N, W]:
//!    $c_i = \sum_j \alpha_{ij} v_j$, with $\alpha$ the softmax of $q_i \cdot k_j / \sqrt W$.
//!
//! A new token sees all $P$ earlier ones, itself, and the new tokens before it. With $P = 2$ and $N =
//! 3$ they see 3, 4 and 5 keys. The contexts must be the same, whether a text is read at once or in
//! pieces.
//!
//! You have `concat(parts, axis)`, `matmul`, `transpose`, `slice` and `softmax`, or
//! `masked_softmax(scores, mask)` with 1 where a key is allowed. The library's causal mask is not
//! allowed.
//!
//! Level 2 of 3, about 15 minutes.
#include "lessons/course/exercise/write.h"

struct Head {
    Tensor query, key, value;  // [D, W]
};

struct Cache {
    Tensor keys, values;  // [P, W]; not defined before the first step
};

Tensor my_step(const Head& head, Cache& cache, const Tensor& x) {  // [N, D] -> [N, W]
    not_written();
}
