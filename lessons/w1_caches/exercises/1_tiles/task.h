//! # A product in tiles
//!
//! Workshop {caches} says: a number that has been loaded should be used several times. Write a
//! product of two matrices, $C = A B$, that does so. $A$ has $n$ rows and $m$ columns, $B$ has $m$
//! rows and $p$ columns.
//!
//! The matrices are in a memory that counts. `A(i, k)` loads the number of row $i$ and column $k$,
//! and `B(k, j)` does the same for $B$. `C(i, j, value)` stores a number. Each call of `A` or `B`
//! is a load, and each call of `C` is a store. Variables and small arrays of your own are your
//! registers: they cost nothing, but keep no more than 64 numbers in them.
//!
//! `my_product(A, B, C, n, m, p)` stores every element of $C$ exactly once. For each product of two
//! numbers it may need at most 0.55 loads, if $n$ and $p$ are large. The plain three loops need 2.
//! A tile with $r$ rows and $v$ columns needs $(r + v) / (r v)$ loads, with registers that hold one
//! number. $n$ and $p$ need not be multiples of $r$ and $v$.
//!
//! Level 2 of 3, about 20 minutes.
#include <algorithm>
#include <functional>

#include "lessons/course/exercise/write.h"

using Load = std::function<double(int row, int column)>;
using Store = std::function<void(int row, int column, double value)>;

void my_product(const Load& A, const Load& B, const Store& C, int n, int m, int p) {
    not_written();
}
