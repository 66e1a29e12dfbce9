// A picture as a set of patches, the keys and values of attention over it (Xu et al. 2015, section
// 3.1.1, there of a network's features; of the pixels Dosovitskiy et al. 2021, section 3.1):
//
//     const Tensor patch = patches(images, 7);    // [B, 28, 28] -> [B, 16, 49]
//     const Tensor all = soft_attention(scores, patch).context;          // all of them
//     const HardAttentionOutput look = hard_attention(scores, patch, rng);      // one of them
//
// Patches are counted row by row from the upper left corner, do not overlap, and carry no trace of
// where they were: patch_centres() has their centres, in the coordinates of glimpse().
#pragma once

#include "autograd/tensor/tensor.h"

namespace heed {

// image [B, Y, X] or [B, C, Y, X] -> [B, K, size²] or [B, K, C size²], K = (Y / size) (X / size).
// Throws unless the size divides both sides.
Tensor patches(const Tensor& image, int64_t size);

// The centres (x, y) of K = rows * columns patches: [K, 2], -1 to 1 from left to right and from
// top to bottom.
Tensor patch_centres(int64_t rows, int64_t columns, Dtype dtype = Dtype::float32);

}  // namespace heed
