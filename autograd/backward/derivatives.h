// Derivatives beyond the gradient of a scalar: products with the Jacobian, the Jacobian itself, the
// Hessian; and a function whose intermediate results are computed twice instead of kept.
//
// The functions take one tensor and return one. With y = f(x), J = dy/dx is the Jacobian, and
//
//     vjp(f, x, g)      gᵀ J, of the shape of x: what backward() computes
//     jvp(f, x, v)      J v, of the shape of y: how y changes when x moves along v
//     jacobian(f, x)    J, of shape y.shape + x.shape
//     hvp(f, x, v)      H v with H = d²y/dx², for a y of one element
//     hessian(f, x)     H, of shape x.shape + x.shape
//
//     jvp([](const Tensor& x) { return sum(square(x)); }, tensor({1, 2}), tensor({1, 0}));    // 2
//
// If x takes part in a graph (and recording is on), the results are recorded and can be
// differentiated again; otherwise they are constants.
#pragma once

#include <functional>
#include <vector>

#include "autograd/tensor/tensor.h"

namespace heed {

using TensorFunction = std::function<Tensor(const Tensor&)>;

Tensor vjp(const TensorFunction& f, const Tensor& x, const Tensor& g);
Tensor jvp(const TensorFunction& f, const Tensor& x, const Tensor& v);  // two passes backward
Tensor jacobian(const TensorFunction& f, const Tensor& x);  // one pass backward per element of y
Tensor hvp(const TensorFunction& f, const Tensor& x, const Tensor& v);
Tensor hessian(const TensorFunction& f, const Tensor& x);

// H v of a loss that was already computed, by all xs together, such as the parameters of a model: the
// vs have the shapes of the xs, and so have the results. These are constants; with create_graph they are
// recorded and can be differentiated again.
std::vector<Tensor> hvp(const Tensor& loss, const std::vector<Tensor>& xs,
                        const std::vector<Tensor>& vs, Flag create_graph = false);

// f(inputs), without keeping the intermediate results: backward computes them again. This trades time
// (one more forward pass) for memory. The value has the same bits, and so has the gradient of an input;
// that of a tensor used both inside and outside of f may be added up in another order. Parameters that
// f uses besides the inputs get their gradients as usual; other results of recorded operations must be
// passed as inputs (throws otherwise).
//
// f must compute the same at each call, and draw the same random numbers; if it does not, backward
// throws. So random numbers come from a copy of the generator, made inside f:
//
//     y = checkpoint([&, rng](const auto& x) {
//             Rng own = rng;
//             return dropout(layer(x[0]), 0.1, &own);
//         }, {x});
//
// Buffers that f changes (batch normalisation) change once: a call in backward begins with the buffers
// that the first call began with, and leaves them as it found them.
Tensor checkpoint(const std::function<Tensor(const std::vector<Tensor>&)>& f,
                  const std::vector<Tensor>& inputs);

}  // namespace heed
