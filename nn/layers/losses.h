// Losses: how wrong a prediction is, as one number to be minimised. cross_entropy, for logits and
// class labels, is an operation of the engine (autograd/ops/fused/cross_entropy.h).
//
// Unless something else is said, prediction and target have the same shape [...], which is not
// broadcast: [B] against [B, 1] would silently become all pairs. The losses of the elements are
// averaged, summed, or returned one by one (Reduction::none), as reduce_losses() says: the mean over
// nothing is 0.
#pragma once

#include "autograd/ops/fused/cross_entropy.h"
#include "autograd/tensor/indices.h"
#include "autograd/tensor/tensor.h"

namespace heed {

// --- numbers ------------------------------------------------------------------------------------

// (prediction - target)²
Tensor mse(const Tensor& prediction, const Tensor& target, Reduction reduction = Reduction::mean);

// |prediction - target|
Tensor l1_loss(const Tensor& prediction, const Tensor& target,
               Reduction reduction = Reduction::mean);

// With d = |prediction - target|: d² / 2 up to delta, then a straight line, delta (d - delta / 2)
// (Huber 1964). Throws unless delta is positive.
Tensor huber_loss(const Tensor& prediction, const Tensor& target, double delta = 1,
                  Reduction reduction = Reduction::mean);

// huber_loss / beta: d² / (2 beta) up to beta, then d - beta / 2 (Girshick 2015, equation 3).
Tensor smooth_l1_loss(const Tensor& prediction, const Tensor& target, double beta = 1,
                      Reduction reduction = Reduction::mean);

// --- yes or no ----------------------------------------------------------------------------------

// -t ln p - (1 - t) ln(1 - p) for probabilities p and targets t in [0, 1]. Logarithms are at least
// -100, as in PyTorch, so that the loss stays finite; there the gradient is 0. Throws for a p outside [0, 1].
Tensor binary_cross_entropy(const Tensor& probabilities, const Tensor& target,
                            Reduction reduction = Reduction::mean);

// The same for logits x, with p = sigmoid(x). Computed as softplus(x) - t x, so that no logit is too
// large: use this one where you can.
Tensor binary_cross_entropy_with_logits(const Tensor& logits, const Tensor& target,
                                        Reduction reduction = Reduction::mean);

// --- classes ------------------------------------------------------------------------------------

// -log_probabilities[label]: log-probabilities [..., C], as from log_softmax, and labels [...]. Rows
// with the ignored label do not count; the mean is over the others.
Tensor nll_loss(const Tensor& log_probabilities, const Indices& labels,
                Integer ignored_index = -100, Reduction reduction = Reduction::mean);

// The Kullback-Leibler divergence Σ t (ln t - ln p) of a distribution p from the target t, the sum
// over the last axis. The prediction is given by its logarithms, ln p [..., C], the target by its
// probabilities t [..., C]. The mean is over the rows (PyTorch's kl_div calls this "batchmean").
Tensor kl_divergence(const Tensor& log_probabilities, const Tensor& target,
                     Reduction reduction = Reduction::mean);

// Cross-entropy of the next token: logits [B, T, V] against ids [B, T], the mean over all tokens except
// those with the ignored id, which is that of the padding (-1 if there is none). All tokens of a batch
// count the same, in short sentences and in long ones.
Tensor sequence_cross_entropy(const Tensor& logits, const Indices& ids, Integer ignored_id,
                              double smoothing = 0);

}  // namespace heed
