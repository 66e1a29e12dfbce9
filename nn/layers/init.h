// Initial values of parameters. Each function draws a tensor from the given Rng:
//
//     layer.weight.assign(xavier_uniform(layer.weight.shape(), rng));
//
// For a weight [Out, In], fan_in = In is the number of inputs of a unit and fan_out = Out the number
// of units it is an input of; further axes (the kernel of a convolution) multiply both. Weights need
// at least two axes. See random.h for plain uniform() and normal().
#pragma once

#include "autograd/tensor/random.h"
#include "autograd/tensor/tensor.h"
#include "nn/module/module.h"

namespace heed {

// Variance gain² 2 / (fan_in + fan_out): a compromise that keeps the size of activations and of
// gradients about the same from layer to layer, for linear and tanh layers (Glorot and Bengio 2010,
// equation 16).
Tensor xavier_uniform(const Shape& shape, Rng& rng, double gain = 1, Dtype = Dtype::float32);
Tensor xavier_normal(const Shape& shape, Rng& rng, double gain = 1, Dtype = Dtype::float32);

// Variance gain² / fan_in. The gain √2 makes up for relu, which sets half of its inputs to 0 (He et
// al. 2015, equation 10).
inline constexpr double relu_gain = 1.4142135623730951;
Tensor kaiming_uniform(const Shape& shape, Rng& rng, double gain = relu_gain,
                       Dtype = Dtype::float32);
Tensor kaiming_normal(const Shape& shape, Rng& rng, double gain = relu_gain,
                      Dtype = Dtype::float32);

// Orthonormal rows (or columns, whichever are fewer) times gain, drawn uniformly from all such
// matrices. Multiplying by one keeps the norm of a vector, over any number of steps (Saxe et al.
// 2014, section 3). Axes after the first count as one.
Tensor orthogonal(const Shape& shape, Rng& rng, double gain = 1, Dtype = Dtype::float32);

// Uniform in [-1/√fan, 1/√fan]: PyTorch's initial values of most layers.
Tensor uniform_fan(const Shape& shape, Integer fan, Rng& rng, Dtype = Dtype::float32);

}  // namespace heed
