// Values in order, with the indices they came from. The gradient of a value goes to the element with
// its index. NaN counts as the largest. Equal values keep their order.
#pragma once

#include "autograd/tensor/indices.h"
#include "autograd/tensor/tensor.h"

namespace heed {

struct ValuesAndIndices {
    Tensor values;
    Indices indices;  // of the same shape, along the axis of x
};

// The largest and the smallest along one axis: the first, if several are equal (max() of reductions.h
// shares the gradient among them). NaN if there is one.
ValuesAndIndices max_with_indices(const Tensor& x, Integer axis, Flag keepdim = false);
ValuesAndIndices min_with_indices(const Tensor& x, Integer axis, Flag keepdim = false);

ValuesAndIndices sort(const Tensor& x, Integer axis = -1, Flag descending = false);
Indices argsort(const Tensor& x, Integer axis = -1, Flag descending = false);
// The k largest along the axis, in falling order; with largest = false the k smallest, in rising order.
ValuesAndIndices topk(const Tensor& x, Integer k, Integer axis = -1, Flag largest = true);

}  // namespace heed
