//! # Chunks that see too much
//!
//! *Find the bug.* This is the causal attention of Performer: query $i$ attends to the keys 0 to
//! $i$. The features of queries and keys are given. The keys go in chunks into two sums, so nothing
//! of the size $T^2$ is computed:
//!
//! $$ S = \sum_j \varphi(k_j)\, v_j^\top, \qquad z = \sum_j \varphi(k_j). $$
//!
//! A language model with this function trains, and its loss falls very fast. But the function is
//! wrong. Four laws are:
//!
//! * "distribution": the weights of a query are not negative and sum to 1;
//! * "every key counts": changing an allowed key changes its weight;
//! * "causal": a later token changes no earlier context;
//! * "every value counts": changing an allowed value changes the context.
//!
//! 1. `my_broken_law()` returns the name of the one that this function breaks.
//! 2. Mend `my_attention`. It must be right for every size of the chunks, and still not compute a
//!    table of $T^2$ numbers. Inside a chunk, a table of the size of the chunk is allowed.
//!
//! To begin with, take three tokens and chunks of two. Which keys does query 0 see? Builds on
//! exercise {long_sequences.2}.
//!
//! You have `tril(x)`, which sets what lies above the diagonal to 0, and what the function uses.
//!
//! Level 3 of 3, about 20 minutes.
#include <algorithm>
#include <string>
#include <vector>

#include "lessons/course/exercise/write.h"

std::string my_broken_law() { not_written(); }

// features of queries and keys [T, M], values [T, V] -> [T, V]
Tensor my_attention(const Tensor& of_q, const Tensor& of_k, const Tensor& values, int64_t chunk) {
    const int64_t T = of_q.size(0), M = of_q.size(1), V = values.size(1);
    Tensor S = zeros({M, V}, values.dtype()), z = zeros({M}, values.dtype());
    std::vector<Tensor> contexts;
    for (int64_t first = 0; first < T; first += chunk) {
        const int64_t last = std::min(first + chunk, T);
        const Tensor q = slice(of_q, 0, first, last), k = slice(of_k, 0, first, last),
                     v = slice(values, 0, first, last);
        S = S + matmul(transpose(k), v);
        z = z + sum(k, 0);
        contexts.push_back(matmul(q, S) / unsqueeze(matmul(q, z), 1));
    }
    return concat(contexts, 0);
}
