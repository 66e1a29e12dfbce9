//! # Equal shares
//!
//! Write the balance loss of lesson {experts}, for tokens that use $k$ experts each.
//!
//! $$ B = E \sum_{i=1}^{E} g_i \, P_i $$
//!
//! - `scores` is [N, E], the scores of the router for N tokens.
//! - `chosen` is [N, E], 1 where a token uses an expert and 0 elsewhere: k ones in each row.
//! - $g_i$ is the share of all $N k$ choices that fall on expert $i$. The shares sum to 1.
//! - $P_i$ is the mean over the tokens of the probability of expert $i$, from a softmax over all E
//!   scores.
//!
//! `my_balance(scores, chosen, k)` returns $B$, a single number. For example, two experts and four
//! tokens with $k = 1$, of which three go to the first expert, and mean probabilities of 0.6 and
//! 0.4: $B = 2 \, (0.75 \cdot 0.6 + 0.25 \cdot 0.4) = 1.1$.
//!
//! You have `mean(x, axis)`, `sum`, `softmax` and arithmetic. The library's `balance_loss` is not
//! allowed.
//!
//! Level 1 of 3, about 5 minutes.
#include "lessons/course/exercise/write.h"

Tensor my_balance(const Tensor& scores, const Tensor& chosen, int k) {
    not_written();  // [N, E], [N, E] -> []
}
