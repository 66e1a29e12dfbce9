// Batch normalisation (Ioffe, Szegedy 2015, section 3): each channel by its mean and variance over the
// batch and all pixels. The layer, with its running averages, is BatchNorm of nn/layers/normalisation.h.
#pragma once

#include "autograd/tensor/tensor.h"

namespace heed {

struct BatchNormResult {
    Tensor y;
    Tensor mean, variance;  // [C], of each channel, var with divisor n; constants
};

// y = (x - mean) / √(var + eps) * weight + bias for each channel of x [B, C, ...], with weight and bias
// [C]. Throws if a channel holds no number.
BatchNormResult batch_norm(const Tensor& x, const Tensor& weight, const Tensor& bias,
                           double eps = 1e-5);
Tensor batch_norm_definition(const Tensor& x, const Tensor& weight, const Tensor& bias,
                             double eps = 1e-5);

}  // namespace heed
