#include "attention/scores/soft.h"

#include "attention/scores/mask.h"
#include "attention/scores/pairs.h"
#include "autograd/base/user_call.h"
#include "autograd/ops/softmax.h"

namespace heed {

Tensor attention_weights(const Tensor& scores, const Tensor& mask) {
    const UserCall named("attention_weights");
    check_defined("attention_weights", scores);
    check_mask(mask, scores.shape(), "attention_weights");
    return mask.defined() ? masked_softmax(scores, mask) : softmax(scores);
}

AttentionOutput soft_attention(const Tensor& scores, const Tensor& value, const Tensor& mask) {
    const UserCall named("soft_attention");
    check_defined("soft_attention", scores, value);
    check(scores.dim() >= 2 && value.dim() >= 2 && scores.size(-1) == value.size(-2),
          "soft_attention: scores {} and value {} differ in the number of keys; scores are "
          "[B, Q, K], values [B, K, D]",
          scores.shape(), value.shape());
    Tensor weights = attention_weights(scores, mask);
    return {context_of_pairs(weights, value, mask), weights};
}

}  // namespace heed
