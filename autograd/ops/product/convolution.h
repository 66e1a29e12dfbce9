// Convolution, by sliding windows and the matrix product. A window is what the kernel covers at one
// position of the output. All windows of x together are a view of its memory, with strides that
// overlap; so a convolution is a reshape (which copies the windows side by side) and one product.
// With steps of one pixel the copies are not needed: kernels/convolution.h.
//
// Shapes: B batch, C channels, H and W the height and width, T the length of a sequence. KH and KW are
// those of the kernel, OH and OW those of the output:
//
//     OH = (H + 2 padding - dilation (KH - 1) - 1) / stride + 1, rounded down
#pragma once

#include "autograd/tensor/tensor.h"

namespace heed {

// A height and a width; or one number for both.
struct Size2d {
    int64_t height = 1, width = 1;
    Size2d(WholeNumber auto both) : height(both), width(both) {}
    Size2d(Integer both) : height(both), width(both) {}
    Size2d(OtherNumber auto) = delete;
    Size2d(Integer h, Integer w) : height(h), width(w) {}
    bool operator==(const Size2d&) const = default;
};

// Which pixels the windows cover: kernel sizes, steps from window to window, zeros around the edge, and
// steps from pixel to pixel within a window.
struct Windows2d {
    Size2d kernel;
    Size2d stride = 1, padding = 0, dilation = 1;
};

// OH and OW for an image of this size. Throws, naming the operation, when no window fits.
Size2d count_windows(Size2d size, const Windows2d& windows, const char* operation);

// x [B, C, H, W] -> [B, C, KH, KW, OH, OW]: y[b, c, i, j, u, v] is pixel (i, j) of window (u, v). A
// view of x, or of a copy with zeros around it. (PyTorch's unfold is this, reshaped to
// [B, C KH KW, OH OW].) Throws when the kernel is larger than the padded image.
Tensor sliding_windows(const Tensor& x, const Windows2d& windows);
// The adjoint: [B, C, KH, KW, OH, OW] -> [B, C, H, W]. Each pixel is the sum of its values in all
// windows that cover it. (PyTorch's fold.)
Tensor add_windows(const Tensor& x, Size2d size, const Windows2d& windows);

struct Conv2dOptions {
    Size2d stride = 1, padding = 0, dilation = 1;
    int64_t groups = 1;  // each group of output channels sees its own group of input channels
};

// y[b, o, u, v] = bias[o] + Σ over c, i, j of weight[o, c, i, j] x[b, c, u stride + i dilation - padding,
// v stride + j dilation - padding], where pixels outside x are 0. x [B, C, H, W], weight
// [O, C / groups, KH, KW], bias [O] (or not defined) -> [B, O, OH, OW]. As in PyTorch, and unlike the
// convolution of mathematics, the kernel is not flipped.
Tensor conv2d(const Tensor& x, const Tensor& weight, const Tensor& bias = {},
              const Conv2dOptions& options = {});
// The same by the obvious loops: what conv2d() means, and what it is tested against. Not recorded.
Tensor conv2d_definition(const Tensor& x, const Tensor& weight, const Tensor& bias = {},
                         const Conv2dOptions& options = {});

struct Conv1dOptions {
    int64_t stride = 1, padding = 0, dilation = 1;
    int64_t groups = 1;
};

// The same over one axis: x [B, C, T], weight [O, C / groups, K], bias [O] -> [B, O, OT].
Tensor conv1d(const Tensor& x, const Tensor& weight, const Tensor& bias = {},
              const Conv1dOptions& options = {});

}  // namespace heed
