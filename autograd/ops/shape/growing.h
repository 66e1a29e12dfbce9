// A sequence that grows, such as the keys that a decoder has seen, without a copy at each step.
#pragma once

#include "autograd/tensor/tensor.h"

namespace heed {

// The same as concat({x, more}, axis). If x is the result of an earlier append(), its memory has spare
// capacity, and only `more` is written, behind the end of x. Capacity doubles when it is used up, so
// each number is copied about twice in all, however long the sequence becomes.
//
//     for (const Tensor& token : tokens) keys = append(keys, token, 1);     // [B, T, D]
//
// x is not changed. If something else was already appended to x, and is still in use, x is copied. If the
// operation has to be recorded, it is concat(). Throws as concat() does.
//
// To go back, take a slice: it costs nothing, and the next append() writes over what lay behind it.
//
//     keys = slice(keys, 1, 0, 20);                                 // the first 20 remain
Tensor append(const Tensor& x, const Tensor& more, Integer axis);

// The same numbers as x, with capacity for `size` along the axis: so far append() will not copy. It copies
// x, unless x has this capacity. Throws if size is below that of x.
Tensor reserve(const Tensor& x, Integer axis, Integer size);

}  // namespace heed
