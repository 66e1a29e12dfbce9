// A choice of a point: where in a picture to look next, drawn from a Gaussian about the place that
// a network proposes (Mnih et al. 2014, "Recurrent Models of Visual Attention", section 3.1).
//
//     const LocationSample look = sample_location(tanh(where_to(detach(state))), 0.17, rng);   // [B, 2]
//     const Tensor seen = glimpse(image, look.place, {.size = 8});
//
// A drawn point may lie outside the picture. glimpse() copes; whoever clamps must clamp only what
// is looked at, and keep log_prob of the point as it was drawn.
#pragma once

#include "autograd/ops/random.h"
#include "autograd/tensor/tensor.h"

namespace heed {

struct LocationSample {
    Tensor place;     // [..., D], a constant: no gradient leaks through the point that was drawn
    Tensor log_prob;  // [...], of all D coordinates together
};

// mean [..., D], the same deviation for each coordinate. Throws unless deviation > 0.
LocationSample sample_location(const Tensor& mean, double deviation, Rng& rng);

// ln N(place; mean, σ² I) = -|place - mean|² / 2σ² - D ln(σ √2π), over the last axis. The place is
// taken as a constant, whatever graph it comes with: through it the gradient would be 0 in sum.
Tensor gaussian_log_prob(const Tensor& mean, double deviation, const Tensor& place);

}  // namespace heed
