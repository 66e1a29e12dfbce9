#include "nn/layers/losses.h"

#include "autograd/ops/reductions.h"
#include "autograd/ops/unary.h"

namespace heed {
namespace {

void check_same_shape(const Tensor& prediction, const Tensor& target, const char* who) {
    check(prediction.defined() && target.defined(), "{}: an input is not defined", who);
    check(prediction.shape() == target.shape(),
          "{}: prediction and target must have the same shape, got {} and {}", who,
          prediction.shape(), target.shape());
}

Tensor reduce(const Tensor& losses, Reduction reduction) {
    if (reduction == Reduction::none) return losses;
    return reduction == Reduction::sum ? sum(losses) : mean(losses);
}

}  // namespace

Tensor mse(const Tensor& prediction, const Tensor& target, Reduction reduction) {
    check_same_shape(prediction, target, "mse");
    return reduce(square(prediction - target), reduction);
}

Tensor binary_cross_entropy(const Tensor& logits, const Tensor& target, Reduction reduction) {
    check_same_shape(logits, target, "binary_cross_entropy");
    return reduce(softplus(logits) - target * logits, reduction);
}

Tensor sequence_cross_entropy(const Tensor& logits, const Indices& ids, int padding,
                              double smoothing) {
    check(logits.defined() && logits.dim() == 3 && ids.shape().dim() == 2 &&
              logits.size(0) == ids.size(0) && logits.size(1) == ids.size(1),
          "sequence_cross_entropy: expected logits [B, T, V] and ids [B, T], got {} and {}",
          logits.shape(), ids.shape());
    return cross_entropy(logits, ids, {.smoothing = smoothing, .ignored_index = padding});
}

}  // namespace heed
