// Making tensors. All are constants until set_requires_grad() is called. tensor.h includes this.
#pragma once

#include <span>
#include <vector>

#include "autograd/tensor/tensor.h"

namespace heed {

Tensor empty(const Shape& shape, Dtype dtype = Dtype::float32);  // any numbers at all
Tensor zeros(const Shape& shape, Dtype dtype = Dtype::float32);
Tensor ones(const Shape& shape, Dtype dtype = Dtype::float32);
Tensor full(const Shape& shape, double value, Dtype dtype = Dtype::float32);
Tensor scalar(double value, Dtype dtype = Dtype::float32);  // shape []
Tensor eye(Integer size, Dtype dtype = Dtype::float32);
Tensor arange(Integer count, Dtype dtype = Dtype::float32);  // 0, 1, ..., count - 1
// begin, begin + step, ... as long as end is not reached. The step may be negative, but not 0.
Tensor arange(double begin, double end, double step = 1, Dtype dtype = Dtype::float32);
// `count` numbers, equally spaced, from begin to end, both included.
Tensor linspace(double begin, double end, Integer count, Dtype dtype = Dtype::float32);
// Of the shape and dtype of x.
Tensor empty_like(const Tensor& x);
Tensor zeros_like(const Tensor& x);
Tensor ones_like(const Tensor& x);
Tensor full_like(const Tensor& x, double value);

// The given numbers in row-major order. Throws when their count is not that of the shape.
Tensor tensor(const std::vector<double>& values, const Shape& shape, Dtype dtype = Dtype::float32);
Tensor tensor(const std::vector<double>& values, Dtype dtype = Dtype::float32);  // one axis
Tensor tensor(std::span<const float> values, const Shape& shape);

}  // namespace heed
