//! # A token at a time
//!
//! While a GPT writes, the keys and values of the earlier tokens do not change. Lesson 23 keeps
//! them in a cache, so that a new token costs one query, one key and one value.
//!
//! Write `my_step(q, k, v, cache)`. It gets the query, the key and the value of the newest token,
//! for each of $H$ heads. It appends the key and the value to the cache, and returns the context of
//! the new token: attention with scaled scores over all tokens so far, the newest included. A mask
//! is not needed, because nothing later exists yet.
//!
//! All three have the shape $[H, 1, d]$, and so has the context. The cache is empty before the
//! first token: then `cache.k.defined()` is false. After $n$ tokens, `cache.k` and `cache.v` have
//! the shape $[H, n, d]$.
//!
//! With one head and $d = 1$: the first token with the value 5 has the context 5, as it sees only
//! itself. If a second token has the same key and the value 9, its context is 7.
//!
//! You have `concat({a, b}, axis)`, `matmul`, `transpose`, `softmax` and arithmetic.
//!
//! Builds on 10.1. Level 2 of 3, about 15 minutes.
#include <cmath>

#include "lessons/course/exercise/write.h"

struct Cache {
    Tensor k, v;  // [H, n, d] after n tokens
};

Tensor my_step(const Tensor& q, const Tensor& k, const Tensor& v, Cache& cache) {  // [H, 1, d]
    not_written();
}
