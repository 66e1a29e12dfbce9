// The same numbers in other memory. All are recorded: the gradient passes through. (detach() and
// copy_of() of tensor/tensor.h are the ones that leave the graph.)
#pragma once

#include "autograd/tensor/tensor.h"

namespace heed {

Tensor clone(const Tensor& x);       // in memory of its own, row-major
Tensor contiguous(const Tensor& x);  // x itself if it is in row-major order, else a clone
// The same numbers in the other precision; x itself if it has it already. The gradient is converted
// back.
Tensor to_dtype(const Tensor& x, Dtype dtype);

}  // namespace heed
