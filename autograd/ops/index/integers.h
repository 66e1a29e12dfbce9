// Indices joined, cut, compared, counted and converted. None of this has a gradient.
#pragma once

#include <vector>

#include "autograd/tensor/indices.h"
#include "autograd/tensor/tensor.h"

namespace heed {

Indices concat(const std::vector<Indices>& parts,
               Integer axis = 0);  // joined along an axis they all have
// Indices begin to end (not included) of the axis; negative ones are counted from its end.
Indices slice(const Indices& x, Integer axis, Integer begin, Integer end);

// Masks: 1 where the relation holds, 0 where it does not.
//
//     Tensor counts = not_equal(ids, padding_id);      // [B, T], 1 where there is a token
Tensor equal(const Indices& a, Integer b, Dtype dtype = Dtype::float32);
Tensor equal(const Indices& a, const Indices& b, Dtype dtype = Dtype::float32);  // of one shape
Tensor not_equal(const Indices& a, Integer b, Dtype dtype = Dtype::float32);
Tensor not_equal(const Indices& a, const Indices& b, Dtype dtype = Dtype::float32);
Tensor less(const Indices& a, Integer b, Dtype dtype = Dtype::float32);
Tensor greater(const Indices& a, Integer b, Dtype dtype = Dtype::float32);

// How often each of 0, 1, ... occurs among all values of x: [n], n the largest value + 1 and at least
// `minlength`. Throws for a negative value. (Weights are added up in this way by index_add().)
Indices bincount(const Indices& x, Integer minlength = 0);

// Where x is not 0, in row-major order: [n, axes of x], a position in each row. NaN is not 0.
// (masked_select() of indexing.h picks the elements themselves.)
Indices nonzero(const Tensor& x);

// Whole numbers of a tensor as integers. Throws, naming the element, for any that is not whole or does
// not fit into an int.
Indices to_indices(const Tensor& x);
Tensor to_tensor(const Indices& x, Dtype dtype = Dtype::float32);

}  // namespace heed
