// Hard attention: the model looks at one place, drawn at random, where soft attention averages over
// all of them (Xu et al. 2015, section 4.1; Mnih et al. 2014). A draw has no derivative, so
// training needs an estimate of ∇ E[L]. A reading order:
//
//   hard_categorical.h  drawing one of K places, and how likely the draw was
//   hard_place.h        drawing a point in a picture from a Gaussian
//   reinforce.h         the estimate that needs nothing but likelihoods
//   baselines.h         what to subtract so that it varies less
//   variational.h       the bound of Xu et al. 2015, with one sample and with several
//   marginal.h          no estimate at all: sums over every place, or over every path
//   relaxed.h           the shortcuts through the draw: straight-through, Gumbel-softmax
//   glimpse.h, patches.h   what there is to look at in a picture
//
// All of them minimise: L is a loss, and a reward enters as its negative. Random numbers come from
// the Rng that is passed.
//
//     const CategoricalSample choice = sample_categorical(scores, rng);                        // scores [B, K]
//     const Tensor seen = values_at(patches, choice.indices);            // [B, K, D] -> [B, D]
//     const Tensor loss = cross_entropy(classify(seen), labels, {.reduction = Reduction::none});
//     backward(reinforce(loss, choice.log_prob, scalar(average.value)));
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
