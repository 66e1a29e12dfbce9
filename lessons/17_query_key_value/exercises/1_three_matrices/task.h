//! # Queries, keys and values from three matrices
//!
//! Lesson {query_key_value} computes a query, a key and a value from each token and then lets the
//! tokens of a text attend to each other. Write this for any number of tokens.
//!
//! `my_attention(X, W_Q, W_K, W_V)` gets the tokens as the rows of $X$, with $T$ rows and $N$
//! columns. $W_Q$ and $W_K$ have $D$ rows and $N$ columns, and $W_V$ has $V$ rows and $N$ columns.
//! The function returns two tensors: the contexts, $T$ rows of width $V$, and the weights, $T$ rows
//! of $T$ numbers. Row $i$ belongs to the token that asks:
//!
//! $$ e_{ij} = \frac{q_i \cdot k_j}{\sqrt D}, \qquad
//!    \alpha_{ij} = \frac{e^{e_{ij}}}{\sum_l e^{e_{il}}}, \qquad c_i = \sum_j \alpha_{ij} v_j . $$
//!
//! With the tokens and matrices of the lesson, "old" has the weights 0.1142, 0.0420, 0.8438 and the
//! context (1.8018, 2.5734).
//!
//! You have `matmul`, `transpose`, `softmax`, `linear` and arithmetic. The library's attention
//! itself is not allowed.
//!
//! Builds on exercise {scores.1}.
//!
//! Level 1 of 3, about 10 minutes.
#include <cmath>

#include "lessons/course/exercise/write.h"

// X [T, N], W_Q [D, N], W_K [D, N], W_V [V, N] -> .context [T, V], .weights [T, T]
AttentionOutput my_attention(const Tensor& X, const Tensor& W_Q, const Tensor& W_K,
                             const Tensor& W_V) {
    not_written();
}
