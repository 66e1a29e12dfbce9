//! # The derivative as a second opinion
//!
//! Which words were important for the answer? Lesson {explanation} asks the derivative. A network
//! turns the embeddings $x_j$ of $N$ words into one logit for each class. Let $z$ be the logit of
//! the class that it predicts, the largest one. The importance of word $j$ is
//!
//! $$ g_j = x_j \cdot \frac{\partial z}{\partial x_j} . $$
//!
//! Write `my_input_gradient(network, embeddings)`, which returns the $N$ numbers $g_j$. The network
//! is a function from embeddings to logits.
//!
//! An example is in the lesson: two words with the single numbers 2 and 0, each its own score, and
//! the logit $z = 3 (\alpha_1 x_1 + \alpha_2 x_2)$. There $g = (6.545, 0)$.
//!
//! You have three tools. `copy_of(x)` makes a tensor that no operation has computed, and
//! `x.set_requires_grad()` says that its gradient is wanted. `grad(z, {x})[0]` is the gradient of
//! the single number $z$ with respect to $x$. To find $z$ there are `argmax(x)[0]` and
//! `select(x, 0, i)`. The embeddings that you get must not be changed.
//!
//! Level 2 of 3, about 10 minutes.
#include <functional>

#include "lessons/course/exercise/write.h"

using Network = std::function<Tensor(const Tensor& embeddings)>;  // [N, D] -> [C]

Tensor my_input_gradient(const Network& network, const Tensor& embeddings) {  // [N, D] -> [N]
    not_written();
}
