// Soft attention: from scores to weights, and from weights to the expected value.
//
//     weights α = softmax(scores) over the allowed keys        context c = Σⱼ αⱼ vⱼ
//
// (Bahdanau, Cho, Bengio 2015, equations 5 and 6; "soft" as against hard is Xu et al. 2015,
// section 4.2.)
//
//     Tensor scores = matmul(query, transpose(key));          // [B, Q, K]
//     auto [context, weights] = soft_attention(scores, value, padding_mask({3, 5}, 5));
//
// A query with no allowed key has weights 0 and context 0. A key that is not allowed has weight 0, and
// neither its score nor its value is read (pairs.h): both get gradient exactly 0, whatever they are.
#pragma once

#include "autograd/tensor/tensor.h"

namespace heed {

// The result of every soft attention in the library.
struct AttentionOutput {
    Tensor context;  // [B, Q, D]
    Tensor weights;  // [B, Q, K]; multi-head attention: [B, H, Q, K]
};

// scores [..., Q, K], value [..., K, D] -> context [..., Q, D], weights [..., Q, K]. The mask
// broadcasts to the scores; if it is not defined, all keys are allowed. Throws when the numbers of
// keys differ.
AttentionOutput soft_attention(const Tensor& scores, const Tensor& value, const Tensor& mask = {});

// Only the weights, for scores [..., K].
Tensor attention_weights(const Tensor& scores, const Tensor& mask = {});

}  // namespace heed
