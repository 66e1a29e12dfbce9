//! # The Hessian times a vector
//!
//! The Hessian of workshop {second_order} has a row for each input. A network with a million
//! weights has a Hessian of a million times a million numbers, which nobody can store. Often only
//! its product with a vector is needed: $H v$ says how the gradient changes when the inputs move in
//! the direction of $v$. This product takes two backward passes, however many inputs there are.
//!
//! The idea: let $g$ be the gradient of $f$. The number $s = \sum_i g_i v_i$ is a function of $x$,
//! too. Its derivative with respect to $x_j$ is $\sum_i H_{ij} v_i$, and that is element $j$ of $H
//! v$.
//!
//! Write `my_hvp(f, x, v)`. Call `f` once, and do not compute $H$. You have `grad(y, {x})`, which
//! returns a list with one gradient, and `grad(y, {x}, true)`, which also records the backward
//! pass. `f` records its steps only if its input is a leaf.
//!
//! In the example of the workshop, $f = x_1^2 x_2$ at (3, 2) has the Hessian ((4, 6), (6, 0)). For
//! $v = (1, 2)$ the result is $(16, 6)$.
//!
//! Level 3 of 3, about 15 minutes.
#include <functional>

#include "lessons/course/exercise/write.h"

using Function = std::function<Tensor(const Tensor& x)>;  // its result is a single number

Tensor my_hvp(const Function& f, const Tensor& x,
              const Tensor& v) {  // v and the result: shape of x
    not_written();
}
