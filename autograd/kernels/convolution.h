// Convolution, steps of one pixel, without copies of its windows; convolution.cpp says how. It takes
// the images as they lie, [images, groups channels, height, width], and gives the same bits with any
// number of threads.
#pragma once

#include <cstdint>

namespace heed {

// Sizes of a convolution. Channels and outputs are those of one group.
struct ConvolutionSizes {
    int64_t images = 0, groups = 0, channels = 0, outputs = 0;
    int64_t height = 0, width = 0;  // of an image
    int64_t kernel_height = 0, kernel_width = 0;
    int64_t padding_height = 0, padding_width = 0;
    int64_t dilation_height = 0, dilation_width = 0;
    int64_t out_height = 0, out_width = 0;

    int64_t taps() const { return kernel_height * kernel_width; }
    int64_t weights() const { return groups * outputs * taps() * channels; }
};

// y[b, o, u, v] = bias[o] + the sum over i, j and the channels c of o's group of
// w[o, i, j, c] x[b, c, u + i dilation - padding, v + j dilation - padding]; pixels outside x are 0.
// Weights are [groups outputs, kernel_height, kernel_width, channels]: the channels come last. The
// bias may be null.
template <class T>
void convolve(const ConvolutionSizes& sizes, const T* x, const T* w, const T* bias, T* y);

// The gradient of the weights, in the same layout, where g is the gradient of y:
// dw[o, i, j, c] = the sum over b, u and v of g[b, o, u, v] x[b, c, u + i ..., v + j ...].
template <class T>
void convolve_backward_weights(const ConvolutionSizes& sizes, const T* x, const T* g, T* dw);

}  // namespace heed
