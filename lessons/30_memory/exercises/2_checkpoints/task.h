//! # Checkpoints
//!
//! Write gradient checkpointing (lesson {memory}). A network is a list of layers, one behind the
//! other. It is cut into pieces of `each` layers; the last piece may be shorter.
//!
//! `my_gradient(layers, x, g, each)` gets the input $x$ of the network, and the gradient $g$ of the
//! loss with respect to its output. It returns the gradient with respect to $x$. The parameters of
//! the layers get their gradients on the way.
//!
//! 1. Run the network forward without recording, in the scope of a `const NoGrad no_grad;`. Keep
//!    the inputs of the pieces.
//! 2. Begin with the last piece. Run it once more, now with recording, and send its gradient back.
//!    The gradient of its input is the gradient of the output of the piece before it.
//!
//! `copy_of(x).set_requires_grad()` is a tensor that begins a recording. `backward(y, g)` sends the
//! gradient $g$ of $y$ back; then `leaf.grad()` is the gradient of the leaf. Each layer may be
//! called twice at most. The judge counts calls and bytes.
//!
//! For two layers that square a number, $x = 2$ and $g = 1$: the result is $4 x^3 = 32$.
//!
//! Level 3 of 3, about 20 minutes.
#include <algorithm>
#include <functional>
#include <vector>

#include "lessons/course/exercise/write.h"

using Layer = std::function<Tensor(const Tensor&)>;

Tensor my_gradient(const std::vector<Layer>& layers, const Tensor& x, const Tensor& g,
                   std::size_t each) {
    not_written();
}
