// Shortcuts through a draw: gradients that vary little and are wrong on average, for comparison
// with those of reinforce.h, which are right on average and vary much.
//
//     straight-through   forward the drawn place, backward as if it had been the softmax (Bengio,
//                        Léonard, Courville 2013, section 4)
//     Gumbel-softmax     softmax((scores + g) / τ), g = -ln(-ln u), u uniform: as τ falls to 0, a
//                        draw from softmax(scores) (Jang, Gu, Poole 2017; Maddison, Mnih, Teh 2017)
//     both together      forward the place where scores + g is largest, backward the softmax (Jang
//                        et al. 2017, section 2.2)
//
//     const Tensor weights = gumbel_softmax(scores, 0.5, rng);          // [B, Q, K]
//     const Tensor context = matmul(weights, value);                    // [B, Q, D]
//
// All give weights [..., K] to average values with, so the whole model must be able to read an
// average. A low temperature τ makes the bias small and the variance large.
#pragma once

#include "autograd/ops/random.h"
#include "autograd/tensor/indices.h"
#include "autograd/tensor/tensor.h"

namespace heed {

// Standard Gumbel noise. The largest of scores + noise stands at place j with probability
// softmax(scores)ⱼ (Gumbel 1954).
Tensor gumbel_noise(const Shape& shape, Rng& rng, Dtype dtype = Dtype::float32);

// Weights that sum to 1, near a corner when τ is low; 0 where the mask does not allow. Throws
// unless temperature > 0.
Tensor gumbel_softmax(const Tensor& scores, double temperature, Rng& rng, const Tensor& mask = {});

// Exactly 1 at the given place and 0 elsewhere, with the gradient of the given weights [..., K].
Tensor straight_through(const Tensor& weights, const Indices& places);

// The two of them with a draw: straight-through of the softmax, and of the Gumbel-softmax. A row
// without an allowed place makes both throw.
Tensor straight_through_sample(const Tensor& scores, Rng& rng, const Tensor& mask = {});
Tensor straight_through_gumbel(const Tensor& scores, double temperature, Rng& rng,
                               const Tensor& mask = {});

}  // namespace heed
