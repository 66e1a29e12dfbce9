// Resizing of grids: pictures, feature maps, and tables of positions that belong to a grid. Each
// output pixel is a weighted mean of the input pixels near the same location of the picture.
//
//     Tensor small = interpolate(pictures, {14, 14});                            // [B, C, 14, 14]
//     Tensor table = interpolate(grid, {24, 24}, Interpolation::bicubic);        // [D, 24, 24]
//
// Pixels are squares, and the first and the last edge of both grids coincide: output pixel i has its
// centre at s = (i + 1/2) H / H' - 1/2 of the input (PyTorch's align_corners = false). Nothing is
// averaged beforehand, so when a grid is made much smaller, pixels between the centres are lost
// (PyTorch's antialias = false).
#pragma once

#include "autograd/ops/product/convolution.h"
#include "autograd/tensor/tensor.h"

namespace heed {

enum class Interpolation {
    bilinear,  // from 2 x 2 pixels: weights 1 - d and d at the distances d and 1 - d
    bicubic,   // from 4 x 4 pixels, by the cubic convolution of Keys (1981) with a = -3/4
};

// The weights along one axis, [to, from]: row i has those of output pixel i, which sum to 1. Pixels
// beyond the edge count as those at the edge. A constant.
Tensor interpolation_weights(Integer from, Integer to, Interpolation kind,
                             Dtype dtype = Dtype::float32);

// x [..., H, W] -> [..., H', W']: y = R x Cᵀ, R and C the weights along both axes. Throws for fewer
// than two axes, and for sizes that are not positive.
Tensor interpolate(const Tensor& x, Size2d size, Interpolation kind = Interpolation::bilinear);

}  // namespace heed
