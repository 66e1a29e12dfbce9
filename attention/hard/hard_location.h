// Samples of a location in an image, from a Gaussian whose mean a network predicts (Mnih et al.
// 2014, "Recurrent Models of Visual Attention", section 3.1).
//
//     const LocationSample look =
//         sample_location(tanh(where_to(detach(state))), 0.17, rng);    // [B, 2]
//     const Tensor seen = glimpse(image, look.location, {.size = 8});
//
// A sampled location may lie outside the image; glimpse() accepts that. If you clamp it, clamp only
// what glimpse() gets: log_prob is that of the location as it was sampled.
#pragma once

#include "autograd/tensor/random.h"
#include "autograd/tensor/tensor.h"

namespace heed {

struct LocationSample {
    Tensor location;  // [..., D], a constant: no gradient flows through it
    Tensor log_prob;  // [...], of all D coordinates together
};

// mean [..., D], the same standard deviation for each coordinate. Throws unless deviation > 0.
LocationSample sample_location(const Tensor& mean, double deviation, Rng& rng);

// ln N(location; mean, σ² I) = -|location - mean|² / 2σ² - D ln(σ √2π), over the last axis. The
// location is taken as a constant. Had it been computed as mean + noise, gradient through it would
// cancel the gradient of the mean.
Tensor gaussian_log_prob(const Tensor& mean, double deviation, const Tensor& location);

}  // namespace heed
