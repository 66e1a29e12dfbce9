// Triangles and diagonals of matrices. Diagonal d runs d columns to the right of the main one, or to
// the left for negative d.
#pragma once

#include "autograd/tensor/tensor.h"

namespace heed {

// The last two axes as matrices: tril() keeps diagonal d and all to its left, triu() d and all to its
// right; the other elements are 0.
Tensor tril(const Tensor& x, Integer d = 0);
Tensor triu(const Tensor& x, Integer d = 0);
// Diagonal d of the axes a (rows) and b (columns), as a last axis: a view.
Tensor diagonal(const Tensor& x, Integer d = 0, Integer a = 0, Integer b = 1);
// zeros(shape) with the last axis of x on diagonal d of the axes a and b: the adjoint of diagonal().
Tensor put_on_diagonal(const Tensor& x, const Shape& shape, Integer d = 0, Integer a = 0,
                       Integer b = 1);
// Of a vector, the square matrix with it on diagonal d; of a matrix, its diagonal d.
Tensor diag(const Tensor& x, Integer d = 0);

}  // namespace heed
