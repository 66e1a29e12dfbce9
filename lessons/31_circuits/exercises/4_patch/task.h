//! # Patch a head
//!
//! Replace the output of one head, as in lesson {circuits}, without changing the layer. The
//! library's `MultiHead` offers the outputs of all its heads under the name "heads", with the shape
//! `[B, H, T, w]`, before they are concatenated and multiplied by $W_O$. This line computes the
//! layer with these outputs replaced:
//!
//!     with_hooks(layer, {{"heads", [&](const Tensor& z) { return /* instead of z */; }}},
//!                [&] { return layer(x, x, x, {.causal = true}); })
//!
//! 1. `my_zeroed(layer, x, head)`: with the output of this head, 0 to $H - 1$, replaced by 0.
//! 2. `my_mean(layer, x, head)`: with it replaced by its mean over the batch. Every position has a
//!    mean of its own.
//! 3. `my_swapped(layer, x, other, head)`: with it replaced by what the head computes for the batch
//!    `other`.
//!
//! All other heads keep their outputs. You have `select`, `slice`, `concat`, `mean(x, axis, true)`,
//! `one_hot`, `expand`, and `run_and_read` and `with_hooks` of `nn/module/hooks.h`.
//!
//! Level 2 of 3, about 15 minutes.
#include "lessons/course/exercise/write.h"
#include "nn/module/hooks.h"

// x [B, T, D] -> [B, T, D]
Tensor my_zeroed(const MultiHead& layer, const Tensor& x, int64_t head) { not_written(); }

Tensor my_mean(const MultiHead& layer, const Tensor& x, int64_t head) { not_written(); }

Tensor my_swapped(const MultiHead& layer, const Tensor& x, const Tensor& other, int64_t head) {
    not_written();
}
