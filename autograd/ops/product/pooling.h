// Pooling: each window of an image is reduced to one number, its largest or its mean. The windows are
// those of convolution.h; a stride of 0 means the kernel's size, so that windows do not overlap.
#pragma once

#include "autograd/ops/product/convolution.h"
#include "autograd/tensor/tensor.h"

namespace heed {

struct Pool2dOptions {
    Size2d stride = 0;  // 0: the kernel
    Size2d padding = 0;
};
struct Pool1dOptions {
    int64_t stride = 0;  // 0: the kernel
    int64_t padding = 0;
};

// The largest of each window, [B, C, H, W] -> [B, C, OH, OW]. Padding never wins. Of equal elements
// the first gets the gradient. The padding may be at most half the kernel.
Tensor max_pool2d(const Tensor& x, Size2d kernel, const Pool2dOptions& options = {});
// The mean of each window. Zeros of the padding count, as in PyTorch (count_include_pad).
Tensor avg_pool2d(const Tensor& x, Size2d kernel, const Pool2dOptions& options = {});
// The mean of each of `size` equal parts of the image; size 1 is the mean of all pixels. Throws unless
// height and width are multiples of the size.
Tensor adaptive_avg_pool2d(const Tensor& x, Size2d size);

// The same over sequences, [B, C, T].
Tensor max_pool1d(const Tensor& x, Integer kernel, const Pool1dOptions& options = {});
Tensor avg_pool1d(const Tensor& x, Integer kernel, const Pool1dOptions& options = {});
Tensor adaptive_avg_pool1d(const Tensor& x, Integer size);

}  // namespace heed
