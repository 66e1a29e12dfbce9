// Reversible residual blocks (Gomez, Ren, Urtasun, Grosse 2017, "The Reversible Residual Network",
// section 3.1; Kitaev et al. 2020, "Reformer", section 3): the inputs of a block can be computed from
// its outputs, so a stack of any depth keeps only its last output for backward.
//
//     forward      y₁ = x₁ + f(x₂)      y₂ = x₂ + g(y₁)
//     backwards    x₂ = y₂ - g(y₁)      x₁ = y₁ - f(x₂)
//
// x₁ and x₂ are the two halves of x along its last axis. In a Transformer f is attention and g the
// feed-forward network, each with its layer norm:
//
//     const std::vector<ReversibleBlock> blocks{
//         {[&](const Tensor& h) { return attention(norm(h)); },
//          [&](const Tensor& h) { return feed_forward(h); }}};
//     Tensor y = reversible(blocks, x);               // [B, T, 2 D] -> [B, T, 2 D]
//
// Backward calls each f and g once more, so it costs about as much as checkpoint(). The gradient is
// that of reversible_definition(), the ordinary composition, up to rounding: a recomputed input differs
// from the first one by the rounding of a sum and a difference.
#pragma once

#include <functional>
#include <vector>

#include "autograd/tensor/tensor.h"

namespace heed {

// f and g keep the shape [..., D]. They must compute the same at each call, so random numbers come from
// a copy of the generator, made inside (derivatives.h has an example). Parameters get their gradients
// as usual; other results of recorded operations must not be used inside (throws). Buffers that f and g
// change, such as running means, change once.
struct ReversibleBlock {
    std::function<Tensor(const Tensor&)> f, g;
};

// x [..., 2 D] -> [..., 2 D]. Throws for an odd width, when f or g changes the shape, and in backward
// if what it computes does not lead back to x.
Tensor reversible(const std::vector<ReversibleBlock>& blocks, const Tensor& x);

// The same by ordinary operations, which keep all intermediate results.
Tensor reversible_definition(const std::vector<ReversibleBlock>& blocks, const Tensor& x);

}  // namespace heed
