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
// x is not changed. If something else was already appended to x, x is copied. If the operation has to
// be recorded, it is concat(). Throws as concat() does.
Tensor append(const Tensor& x, const Tensor& more, Integer axis);

}  // namespace heed
