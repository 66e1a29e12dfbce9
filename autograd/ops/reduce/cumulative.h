// Cumulative sums and products along an axis.
#pragma once

#include "autograd/tensor/tensor.h"

namespace heed {

// y[i] = x[0] + ... + x[i] along the axis.
Tensor cumsum(const Tensor& x, Integer axis);
// y[i] = x[0] ... x[i] along the axis. Its gradient is right for zeros among the factors, too.
Tensor cumprod(const Tensor& x, Integer axis);
Tensor cumprod_definition(const Tensor& x, Integer axis);

}  // namespace heed
