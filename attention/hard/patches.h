// An image as a set of patches, the keys and values of attention to it (Xu et al. 2015, section
// 3.1.1, of a network's features; Dosovitskiy et al. 2021, section 3.1, of pixels):
//
//     const Tensor patch = patches(images, 7);    // [B, 28, 28] -> [B, 16, 49]
//     const Tensor all = soft_attention(scores, patch).context;               // of all patches
//     const HardAttentionOutput look = hard_attention(scores, patch, rng);    // of one
//
// Patches do not overlap and are ordered row by row from the upper left corner. A patch does not
// contain its position: patch_centres() gives that, in the coordinates of glimpse().
#pragma once

#include "autograd/tensor/tensor.h"

namespace heed {

// image [B, Y, X] or [B, C, Y, X] -> [B, K, size²] or [B, K, C size²], K = (Y / size) (X / size).
// Throws unless the size divides both sides.
Tensor patches(const Tensor& image, Integer size);

// The centres (x, y) of K = rows * columns patches: [K, 2], -1 to 1 from left to right and from
// top to bottom. Throws unless there is at least one row and column.
Tensor patch_centres(Integer rows, Integer columns, Dtype dtype = Dtype::float32);

}  // namespace heed
