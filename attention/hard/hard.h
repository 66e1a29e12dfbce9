// Hard attention: the model attends to one position, sampled at random, where soft attention takes
// the mean over all positions (Xu et al. 2015, section 4.1; Mnih et al. 2014). A sample has no
// derivative, so training needs an estimate of ∇ E[L]. A reading order:
//
//   hard_categorical.h  Samples of one of K indices with the probabilities α = softmax(scores)
//   hard_location.h     Samples of a location in an image, from a Gaussian whose mean a network
//                       predicts
//   reinforce.h         REINFORCE: an estimate of the gradient of an expected loss over random
//                       actions a₁ ... a_T
//   baselines.h         Baselines: numbers b subtracted from the loss in REINFORCE, (L - b) ∇ ln p
//   preferences.h       A language model trained from rewards of whole answers, or from pairs of a
//                       better and a worse answer
//   variational.h       Hard attention trained by a lower bound on the log-likelihood of the target
//   marginal.h          The exact expectation: a sum over all indices, where it is affordable
//   relaxed.h           Gradients through a sample that are biased but have low variance, for
//                       comparison with those of reinforce.h, which are unbiased and have high
//                       variance
//   glimpse.h           A glimpse: the part of an image around a location, at full resolution and,
//                       with more scales, a larger part at lower resolution
//   patches.h           An image as a set of patches, the keys and values of attention to it
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
#include "attention/hard/preferences.h"
#include "attention/hard/reinforce.h"
#include "attention/hard/relaxed.h"
#include "attention/hard/variational.h"
