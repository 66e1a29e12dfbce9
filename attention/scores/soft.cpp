#include "attention/scores/soft.h"

#include "attention/scores/mask.h"
#include "attention/scores/pairs.h"
#include "autograd/ops/fused/softmax.h"
#include "autograd/tensor/shapes.h"

namespace heed {

Tensor attention_weights(const Tensor& scores, const Tensor& mask) {
    const Shapes in("attention_weights", {{"scores", scores, "... K"}});
    check_mask(mask, scores.shape(), "attention_weights");
    return mask.defined() ? masked_softmax(scores, mask) : softmax(scores);
}

AttentionOutput soft_attention(const Tensor& scores, const Tensor& value, const Tensor& mask) {
    const Shapes in("soft_attention", {{"scores", scores, "... Q K"}, {"value", value, "... K D"}});
    Tensor weights = attention_weights(scores, mask);
    return {context_of_pairs(weights, value, mask), weights};
}

}  // namespace heed
