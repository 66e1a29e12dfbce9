// What parameters begin with. Each function draws a tensor from the given Rng:
//
//     layer.weight.assign(xavier_uniform(layer.weight.shape(), rng));
//
// fan_in and fan_out, how many numbers a unit reads and feeds, are the sizes of the last and the
// first axis of a weight [out, in]; axes after the second multiply both. Weights need at least two
// axes. See random.h for plain uniform() and normal().
#pragma once

#include "autograd/ops/random.h"
#include "autograd/tensor/tensor.h"

namespace heed {

// A tensor to be learned: the same one, asking for its gradient.
inline Tensor parameter(Tensor x) { return x.set_requires_grad(); }

// Variance 2 / (fan_in + fan_out) gain²: keeps the size of signals and of gradients alike in linear
// and tanh layers (Glorot and Bengio 2010, equation 16).
Tensor xavier_uniform(const Shape& shape, Rng& rng, double gain = 1, Dtype = Dtype::float32);
Tensor xavier_normal(const Shape& shape, Rng& rng, double gain = 1, Dtype = Dtype::float32);

// Variance gain² / fan_in, the gain √2 making up for the half that a relu cuts off (He et al. 2015,
// equation 10).
inline constexpr double relu_gain = 1.4142135623730951;
Tensor kaiming_uniform(const Shape& shape, Rng& rng, double gain = relu_gain,
                       Dtype = Dtype::float32);
Tensor kaiming_normal(const Shape& shape, Rng& rng, double gain = relu_gain,
                      Dtype = Dtype::float32);

// Orthonormal rows (or columns, whichever are fewer) times gain, uniform among all such: the norm
// of what passes through stays the same over many steps (Saxe et al. 2014, section 3). Axes after
// the first count as one.
Tensor orthogonal(const Shape& shape, Rng& rng, double gain = 1, Dtype = Dtype::float32);

// Uniform within 1/√fan of 0: what PyTorch begins its layers with.
Tensor uniform_fan(const Shape& shape, int64_t fan, Rng& rng, Dtype = Dtype::float32);

}  // namespace heed
