// A glimpse: what an eye sees of a picture that looks at one place, sharp there and, if it has more
// scales, coarser further out (Mnih et al. 2014, section 3.1, the glimpse sensor).
//
//     const Tensor seen = glimpse(image, place, {.size = 8, .scales = 3});    // [B, 3, 8, 8]
//
// Scale s is the square of side size * factorˢ about the place, averaged down to size x size
// pixels. What lies outside the picture is 0.
#pragma once

#include "autograd/tensor/tensor.h"

namespace heed {

struct GlimpseOptions {
    int64_t size = 8;  // the side of a glimpse, in pixels
    int64_t scales = 1;
    int64_t factor = 2;  // how many times as far each scale sees as the one before
};

// image [B, Y, X], place [B, 2] as (x, y): (-1, -1) is the upper left corner of the picture, (0, 0)
// its middle, (1, 1) the lower right corner; may lie outside -> [B, scales, size, size]. The square
// is put on whole pixels, so there is no gradient with respect to the place: throws for one that
// asks for it. The image gets its gradient.
Tensor glimpse(const Tensor& image, const Tensor& place, const GlimpseOptions& options = {});

}  // namespace heed
