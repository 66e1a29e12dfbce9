// Hard attention: the model attends to one position, sampled at random, where soft attention takes
// the mean over all positions (Xu et al. 2015, section 4.1; Mnih et al. 2014). A sample has no
// derivative, so training needs an estimate of ∇ E[L]. A reading order:
//
//   hard_categorical.h  samples one of K indices, with its log-probability
//   hard_location.h     samples a point of an image from a Gaussian
//   reinforce.h         the gradient estimate that needs only log-probabilities
//   baselines.h         what is subtracted from the loss to reduce the variance
//   variational.h       the lower bound of Xu et al. 2015, with one sample and with several
//   marginal.h          exact sums over all indices, or over all sequences of indices
//   relaxed.h           straight-through and Gumbel-softmax: biased estimates
//   glimpse.h           cuts the part of an image around a location
//   patches.h           an image as a set of patches
//
// L is a loss to be minimised; a reward is the negative of a loss. Random numbers come from the Rng
// that is passed.
//
//     const CategoricalSample sample = sample_categorical(scores, rng);   // scores [B, K]
//     const Tensor seen = values_at(patches, sample.indices);             // [B, K, D] -> [B, D]
//     const Tensor loss = cross_entropy(classify(seen), labels, {.reduction = Reduction::none});
//     backward(reinforce(loss, sample.log_prob, scalar(average.value)));
//     average.update(loss);
#pragma once

#include "attention/hard/baselines.h"
#include "attention/hard/glimpse.h"
#include "attention/hard/hard_categorical.h"
#include "attention/hard/hard_location.h"
#include "attention/hard/marginal.h"
#include "attention/hard/patches.h"
#include "attention/hard/reinforce.h"
#include "attention/hard/relaxed.h"
#include "attention/hard/variational.h"
