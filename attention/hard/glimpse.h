// A glimpse: the part of an image around a location, at full resolution and, with more scales, a
// larger part at lower resolution (Mnih et al. 2014, section 3.1, the glimpse sensor).
//
//     const Tensor seen = glimpse(image, location, {.size = 8, .scales = 3});    // [B, 3, 8, 8]
//
// Scale s is the square of side size * factorˢ around the location, averaged down to size x size
// pixels. Pixels outside the image are 0.
#pragma once

#include "autograd/tensor/tensor.h"

namespace heed {

struct GlimpseOptions {
    int64_t size = 8;  // the side of a glimpse, in pixels
    int64_t scales = 1;
    int64_t factor = 2;  // how many times larger the square of each scale is than the one before
};

// image [B, Y, X], location [B, 2] as (x, y) -> [B, scales, size, size]. (-1, -1) is the upper left
// corner of the image, (0, 0) its centre, (1, 1) the lower right corner; a location may lie
// outside. Squares begin at whole pixels, so there is no gradient with respect to the location:
// throws if it requires one. The image gets its gradient.
Tensor glimpse(const Tensor& image, const Tensor& location, const GlimpseOptions& options = {});

}  // namespace heed
