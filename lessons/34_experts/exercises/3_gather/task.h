//! # Compute only what is used
//!
//! A mixture of experts saves work only if nothing is computed for tokens that do not use an
//! expert. Write it so.
//!
//! `my_mixture(x, weights, expert)` gets the tokens [N, D], and the weights [N, E], which are 0
//! where a token does not use an expert. `expert(e, tokens)` computes expert $e$ for any number of
//! tokens, [n, D] to [n, D]. The result is
//!
//! $$ y_n = \sum_{e} w_{n,e} \, f_e(x_n) . $$
//!
//! Call each expert at most once, with exactly the tokens whose weight is not 0. Do not call an
//! expert that no token uses. The judge counts.
//!
//! For example, with two tokens, the weights $(1, 0)$ and $(0.5, 0.5)$: expert 0 gets both tokens,
//! and expert 1 the second one alone.
//!
//! You have `index_select(x, 0, rows)` for the rows of a tensor,
//! `index_add(shape, 0, rows, source)`, which makes a tensor of zeros and adds row i of the source
//! at row `rows[i]`, `select(x, 1, e)` for a column, `unsqueeze` and `.at({n, e})`. The library's
//! `mix_experts` is not allowed.
//!
//! Builds on exercise {experts.1}.
//!
//! Level 2 of 3, about 15 minutes.
#include <functional>

#include "lessons/course/exercise/write.h"

using Expert = std::function<Tensor(int e, const Tensor& tokens)>;

Tensor my_mixture(const Tensor& x, const Tensor& weights, const Expert& expert) {
    not_written();  // [N, D], [N, E] -> [N, D]
}
