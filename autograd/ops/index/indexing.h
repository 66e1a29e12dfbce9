// Picking elements by integers. An index outside the axis throws, naming the index and the size;
// negative ones are outside. Picking and adding back are each other's adjoints: gather and
// scatter_add, index_select and index_add.
#pragma once

#include <cstdint>
#include <limits>

#include "autograd/tensor/indices.h"
#include "autograd/tensor/tensor.h"

namespace heed {

// Rows of a table [V, D] by id: ids [...] -> [..., D]. The gradient adds up in the rows used.
Tensor embedding(const Tensor& table, const Indices& ids);

// y[i][j][k] = x[i][indices[i][j][k]][k] along the axis (PyTorch's gather): indices have as many axes
// as x, and no axis longer than x's but the gathered one.
Tensor gather(const Tensor& x, Integer axis, const Indices& indices);
// zeros(shape) with source[i] added at indices[i] along the axis; source and indices have one shape.
// If many numbers are added to one element, the sums are computed in double. To find out, the
// indices are counted first; a caller who knows the largest count passes it as most_at_one and
// saves that time.
Tensor scatter_add(const Shape& shape, Integer axis, const Indices& indices, const Tensor& source,
                   Integer most_at_one = std::numeric_limits<int64_t>::max());

// Whole slices of x along the axis, in the given order (indices have one axis).
Tensor index_select(const Tensor& x, Integer axis, const Indices& indices);
// zeros(shape) with slice i of source along the axis added at slice indices[i].
Tensor index_add(const Shape& shape, Integer axis, const Indices& indices, const Tensor& source);

// What x[indices] means: these indices of the first axis, [...] of [N, ...rest] -> [..., ...rest].
Tensor at_index(const Tensor& x, const Indices& indices);

// `value` where the mask (of any dtype, broadcast to x's shape) is not 0, x elsewhere.
Tensor masked_fill(const Tensor& x, const Tensor& mask, double value);

// The elements of x where the mask is not 0, in row-major order: [n]. Mask and x are broadcast against
// each other.
Tensor masked_select(const Tensor& x, const Tensor& mask);

// 1 at the given class, 0 elsewhere: labels [...] -> [..., classes]. A constant.
Tensor one_hot(const Indices& labels, Integer classes, Dtype dtype = Dtype::float32);

}  // namespace heed
