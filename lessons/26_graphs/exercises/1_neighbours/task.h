//! # Attention over neighbours
//!
//! Write graph attention (GAT) of lesson {graphs} with one head, edge by edge. A table of all pairs
//! of nodes is not allowed: with a million nodes it would have $10^{12}$ entries. The graph has $E$
//! edges. Edge number $e$ leads from the source `graph.source()[e]` to the target
//! `graph.target()[e]`; both lists are `Indices` [E]. The rows of $x$ are the nodes, already
//! multiplied by $W$.
//!
//! 1. `my_scores` returns a score for each edge, $\operatorname{LeakyReLU}(a_t \cdot x_i + a_s
//!    \cdot x_j)$ with the slope 0.2. The target is $i$, the source is $j$.
//! 2. `my_weights` returns a weight for each edge: the softmax of the scores over the edges that
//!    arrive at the same target. Scores may be 1,000 or -1,000.
//! 3. `my_attention` returns the contexts $y_i = \sum_j \alpha_{ij} x_j$. A node at which no edge
//!    arrives gets zeros.
//!
//! `index_select(x, 0, indices)` returns the row of `x` for each index. `segment_sum(x,
//! graph.into())` and `segment_max(x, graph.into())` return the sum and the maximum over the edges
//! that arrive at each node, [N] or [N, D].
//!
//! Level 2 of 3, about 20 minutes.
#include "lessons/course/exercise/write.h"

// x [N, D], a_t [D], a_s [D] -> [E]
Tensor my_scores(const Tensor& x, const Tensor& a_t, const Tensor& a_s, const SparseGraph& graph) {
    not_written();
}

Tensor my_weights(const Tensor& scores, const SparseGraph& graph) {  // [E] -> [E]
    not_written();
}

Tensor my_attention(const Tensor& x, const Tensor& a_t, const Tensor& a_s,
                    const SparseGraph& graph) {  // -> [N, D]
    not_written();
}
