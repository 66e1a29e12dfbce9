// Gradients through a sample that are biased but have low variance, for comparison with those of
// reinforce.h, which are unbiased and have high variance.
//
//     straight-through   forward the sampled index, backward the gradient of softmax (Bengio,
//                        Léonard, Courville 2013)
//     Gumbel-softmax     softmax((scores + g) / τ), g = -ln(-ln u), u uniform: as τ goes to 0, a
//                        sample from softmax(scores) (Jang, Gu, Poole 2017; Maddison, Mnih, Teh
//                        2017)
//     both together      forward the index where scores + g is largest, backward the gradient of
//                        the Gumbel-softmax (Jang et al. 2017, section 2.2)
//
//     const Tensor weights = gumbel_softmax(scores, 0.5, rng);          // [B, Q, K]
//     const Tensor context = matmul(weights, value);                    // [B, Q, D]
//
// All return weights [..., K] for a weighted mean of values. A low temperature τ makes the bias
// small and the variance large.
#pragma once

#include "autograd/tensor/indices.h"
#include "autograd/tensor/random.h"
#include "autograd/tensor/tensor.h"

namespace heed {

// Standard Gumbel noise. The largest element of scores + noise is at index j with probability
// softmax(scores)ⱼ (Gumbel 1954).
Tensor gumbel_noise(const Shape& shape, Rng& rng, Dtype dtype = Dtype::float32);

// Weights that sum to 1; nearly one-hot if τ is low; 0 where the mask excludes the index. Throws
// unless temperature > 0.
Tensor gumbel_softmax(const Tensor& scores, double temperature, Rng& rng, const Tensor& mask = {});

// Exactly one-hot at the given indices [...], with the gradient of the given weights [..., K].
// Throws when shapes do not fit.
Tensor straight_through(const Tensor& weights, const Indices& indices);

// straight_through() of a sample from softmax(scores), and of the Gumbel-softmax. Both throw when a
// row has no allowed index.
Tensor straight_through_sample(const Tensor& scores, Rng& rng, const Tensor& mask = {});
Tensor straight_through_gumbel(const Tensor& scores, double temperature, Rng& rng,
                               const Tensor& mask = {});

}  // namespace heed
