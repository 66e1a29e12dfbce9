//! # A masked attention that passes every law
//!
//! Write the attention of lesson {self_attention} with a mask, for $B$ examples at once:
//!
//! $$ \alpha_{ij} = \frac{m_{ij} \, e^{e_{ij}}}{\sum_l m_{il} \, e^{e_{il}}}, \qquad
//!    e_{ij} = \frac{q_i \cdot k_j}{\sqrt D}, \qquad c_i = \sum_j \alpha_{ij} v_j . $$
//!
//! The mask is 1 where query $i$ may attend to key $j$, and 0 where it may not. It has the shape
//! `[B, Q, K]`, or one that is broadcast to it, such as `[B, 1, K]`. It may also be missing: then
//! `mask.defined()` is false and all keys are allowed.
//!
//! In the lesson "old" has the scores 1, 0 and 3. If it may not read "cat", the weights are 0.731,
//! 0.269 and 0.
//!
//! The judge then tests the laws of the library. Two of them are hard:
//!
//! * A query that may attend to nothing has the weights 0 and the context 0, not NaN.
//! * A forbidden key may contain any finite number. It has no influence, and its gradient is 0.
//!
//! You have `matmul`, `softmax`, `exp`, `where(mask, x, number)` and arithmetic, but not the
//! library's attention or `masked_softmax`.
//!
//! Builds on exercise {query_key_value.1}.
//!
//! Level 3 of 3, about 20 minutes.
#include <cmath>

#include "lessons/course/exercise/write.h"

// query [B, Q, D], key [B, K, D], value [B, K, V] -> .context [B, Q, V], .weights [B, Q, K]
AttentionOutput my_masked_attention(const Tensor& query, const Tensor& key, const Tensor& value,
                                    const Tensor& mask) {
    not_written();
}
