// A sequence that grows a piece at a time, such as the keys a decoder has seen, without being
// copied every time.
#pragma once

#include "autograd/tensor/tensor.h"

namespace heed {

// concat({x, more}, axis), where x is the result of an earlier append(): then its memory has room
// to spare, and only `more` is written, behind the end of x. Each number is so copied about twice
// in all, however long the sequence becomes.
//
//     for (const Tensor& token : tokens) keys = append(keys, token, 1);     // [B, T, D]
//
// x stays as it is, and may be continued in several ways: whoever comes second gets a copy. What is
// recorded on the tape is concatenated as usual. Throws as concat() does.
Tensor append(const Tensor& x, const Tensor& more, int axis);

}  // namespace heed
