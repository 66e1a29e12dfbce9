// Losses: how wrong a prediction is, as one number to be made small. cross_entropy, for classes, is
// the engine's (autograd/ops/cross_entropy.h).
//
// Shapes of prediction and target must be equal: nothing is broadcast, for [B] against [B, 1] would
// silently become all pairs.
#pragma once

#include "autograd/ops/cross_entropy.h"
#include "autograd/tensor/indices.h"
#include "autograd/tensor/tensor.h"

namespace heed {

// (prediction - target)², averaged, summed, or element by element.
Tensor mse(const Tensor& prediction, const Tensor& target, Reduction reduction = Reduction::mean);

// -t ln σ(x) - (1 - t) ln(1 - σ(x)) for logits x and targets t in [0, 1], computed as
// softplus(x) - t x, so that no logit is too large.
Tensor binary_cross_entropy(const Tensor& logits, const Tensor& target,
                            Reduction reduction = Reduction::mean);

// Cross-entropy of the next token: logits [B, T, V] against ids [B, T], the mean over all tokens
// that are not padding. Short and long sentences share one mean, so every token counts the same.
Tensor sequence_cross_entropy(const Tensor& logits, const Indices& ids, int padding = 0,
                              double smoothing = 0);

}  // namespace heed
