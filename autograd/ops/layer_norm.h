// Layer normalisation (Ba, Kiros, Hinton 2016, section 3).
#pragma once

#include "autograd/tensor/tensor.h"

namespace heed {

// y = (x - mean) / √(var + eps) * scale + shift over the last axis, var with divisor n. scale and
// shift [n] may each be not defined (then 1 and 0).
Tensor layer_norm(const Tensor& x, const Tensor& scale = {}, const Tensor& shift = {},
                  double eps = 1e-5);
Tensor layer_norm_definition(const Tensor& x, const Tensor& scale = {}, const Tensor& shift = {},
                             double eps = 1e-5);

}  // namespace heed
