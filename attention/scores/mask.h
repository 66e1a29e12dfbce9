// Masks: which query may attend to which key. A mask is a constant tensor of 0 and 1, of any dtype,
// that broadcasts to the scores [B, Q, K]; 1 means that the query may attend to the key. Write all
// three axes, [B, 1, K] or [1, Q, K]: a mask of two axes is refused where B equals Q, for then it
// could mean either.
//
//     Tensor mask = combine({padding_mask({3, 5}, 5), causal_mask(5)});   // [B, Q, K] = [2, 5, 5]
//     Tensor weights = masked_softmax(scores, mask);
//
// A query that may attend to nothing gets weights 0 and context 0, not NaN: see soft.h.
#pragma once

#include <vector>

#include "autograd/tensor/indices.h"
#include "autograd/tensor/tensor.h"

namespace heed {

// [B, 1, K] from the lengths [B] of the sequences in a batch padded to K: 1 at the first lengths[b]
// keys. Throws for a length outside 0 .. K.
Tensor padding_mask(const Indices& lengths, Integer keys, Dtype dtype = Dtype::float32);

// The same for a batch padded on the left: 1 at the last lengths[b] keys.
Tensor left_padding_mask(const Indices& lengths, Integer keys, Dtype dtype = Dtype::float32);

// [1, Q, K]: query i attends to the keys up to its own position and to no later one. The queries are
// the last Q of the K positions (as when earlier keys come from a cache): query i is at K - Q + i.
// Throws when there are more queries than keys.
Tensor causal_mask(Integer queries, Integer keys, Dtype dtype = Dtype::float32);
Tensor causal_mask(Integer size, Dtype dtype = Dtype::float32);  // Q = K = size

// [1, Q, K]: query i, at position K - Q + i, attends to the keys at most `before` before and `after`
// after it (Beltagy et al. 2020, section 3.1). With after = 0 the window is causal.
Tensor sliding_window_mask(Integer queries, Integer keys, Integer before, Integer after,
                           Dtype dtype = Dtype::float32);

// 1 where every mask is 1, broadcast; in the dtype of the first. A mask that is not defined() allows
// all. If all masks are not defined, the result is not defined either.
Tensor combine(const std::vector<Tensor>& masks);

// Throws if a mask that is defined holds NaN or an infinity. A mask of 0 and -∞, to be added to the
// scores, would be read as its opposite.
void check_mask_numbers(const Tensor& mask, const char* operation);

// The same, and throws, naming the operation and both shapes, if the mask does not broadcast to the shape
// of the scores, or if its first axis may be taken for the batch as well as for another axis.
void check_mask(const Tensor& mask, const Shape& scores, const char* operation);

// Throws when there are more queries than keys, for what takes the queries to be at the last positions.
void check_last_positions(Integer queries, Integer keys, const char* operation);

}  // namespace heed
