// Layer normalisation (Ba, Kiros, Hinton 2016, section 3) and RMS normalisation (Zhang, Sennrich 2019).
// Neither overflows for any finite numbers: rows whose squares would are scaled by a power of two.
#pragma once

#include "autograd/tensor/tensor.h"

namespace heed {

// y = (x - mean) / √(var + eps) * scale + shift over the last axis, var with divisor n. scale and
// shift [n] may each be not defined (then 1 and 0).
Tensor layer_norm(const Tensor& x, const Tensor& scale = {}, const Tensor& shift = {},
                  double eps = 1e-5);
Tensor layer_norm_definition(const Tensor& x, const Tensor& scale = {}, const Tensor& shift = {},
                             double eps = 1e-5);

// y = x / √(mean x² + eps) * scale over the last axis. scale [n] may be not defined (then 1).
Tensor rms_norm(const Tensor& x, const Tensor& scale = {}, double eps = 1e-5);
Tensor rms_norm_definition(const Tensor& x, const Tensor& scale = {}, double eps = 1e-5);

}  // namespace heed
