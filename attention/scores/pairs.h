// Masked means not read. A query and a key that the mask keeps apart exchange nothing, in either
// direction, whatever numbers they hold: NaN, infinities, 1e38. A weight of 0 is not enough for that,
// because 0 times NaN is NaN, and so is a gradient of 0 times NaN. So the two products of attention
// leave such pairs out:
//
//     Tensor scores = scores_of_pairs(query, key, mask);          // query keyᵀ
//     Tensor weights = attention_weights(scores, mask);
//     Tensor context = context_of_pairs(weights, value, mask);    // weights value
//
// Each gives the gradient of the other. For finite numbers both are matmul() and cost as much: only if
// the result is not finite are the products computed again, pair by pair.
//
// In front of a projection the pairs are not known yet, so what no query may attend to becomes 0 there:
// without_masked().
#pragma once

#include "autograd/tensor/tensor.h"

namespace heed {

// query [..., Q, D], key [..., K, D] -> [..., Q, K]. The mask broadcasts to it, or is not defined. Where
// the mask is 0 and the gradient that arrives is 0, as that of a masked softmax is, query and key are
// not read for the gradient; if some score is not finite, scores where the mask is 0 are 0.
Tensor scores_of_pairs(const Tensor& query, const Tensor& key, const Tensor& mask);

// weights [..., Q, K], value [..., K, D] -> [..., Q, D]. The mask broadcasts to the weights, or is not
// defined. A value is not read where the mask is 0 and the weight too.
Tensor context_of_pairs(const Tensor& weights, const Tensor& value, const Tensor& mask);

// x [..., K, D] with rows of 0 for the keys that no query, of any head, may attend to. The mask is
// [..., Q, K], any of its axes of size 1, or not defined. If all numbers of x are finite, x itself.
Tensor without_masked(const Tensor& x, const Tensor& mask);

}  // namespace heed
