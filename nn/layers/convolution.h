// Layers for images [B, C, H, W] and sequences [B, C, T]: convolutions, and pooling for Sequential. What
// they compute is in autograd/ops/product/convolution.h and autograd/ops/product/pooling.h.
//
//     Conv2d conv(3, 16, 5, {.stride = 2, .padding = 2}, rng);
//     Tensor y = max_pool2d(relu(conv(x)), 2);      // [B, 3, 32, 32] -> [B, 16, 8, 8]
#pragma once

#include "autograd/base/rng.h"
#include "autograd/ops/product/convolution.h"
#include "autograd/ops/product/pooling.h"

namespace heed {

struct Conv2d {
    Tensor weight;  // [Out, In / groups, KH, KW]
    Tensor bias;    // [Out], or not defined
    Conv2dOptions options;

    Conv2d() = default;
    // Weight and bias uniform in [-1/√n, 1/√n] with n = In / groups KH KW.
    Conv2d(Integer in, Integer out, Size2d kernel, const Conv2dOptions& options, Rng& rng,
           Flag with_bias = true);
    Conv2d(Integer in, Integer out, Size2d kernel, Rng& rng) : Conv2d(in, out, kernel, {}, rng) {}
    void visit(auto&& f) { f("weight", weight), f("bias", bias); }

    Tensor operator()(const Tensor& x) const;  // x [B, In, H, W] -> [B, Out, OH, OW]
};

struct Conv1d {
    Tensor weight;  // [Out, In / groups, K]
    Tensor bias;    // [Out], or not defined
    Conv1dOptions options;

    Conv1d() = default;
    // Weight and bias uniform in [-1/√n, 1/√n] with n = In / groups K.
    Conv1d(Integer in, Integer out, Integer kernel, const Conv1dOptions& options, Rng& rng,
           Flag with_bias = true);
    Conv1d(Integer in, Integer out, Integer kernel, Rng& rng) : Conv1d(in, out, kernel, {}, rng) {}
    void visit(auto&& f) { f("weight", weight), f("bias", bias); }

    Tensor operator()(const Tensor& x) const;  // x [B, In, T] -> [B, Out, OT]
};

// --- pooling ------------------------------------------------------------------------------------

struct MaxPool2d {
    Size2d kernel;
    Pool2dOptions options = {};
    Tensor operator()(const Tensor& x) const { return max_pool2d(x, kernel, options); }
};
struct AvgPool2d {
    Size2d kernel;
    Pool2dOptions options = {};
    Tensor operator()(const Tensor& x) const { return avg_pool2d(x, kernel, options); }
};
struct AdaptiveAvgPool2d {
    Size2d size;  // of the result
    Tensor operator()(const Tensor& x) const { return adaptive_avg_pool2d(x, size); }
};
struct MaxPool1d {
    int64_t kernel = 0;
    Pool1dOptions options = {};
    Tensor operator()(const Tensor& x) const { return max_pool1d(x, kernel, options); }
};
struct AvgPool1d {
    int64_t kernel = 0;
    Pool1dOptions options = {};
    Tensor operator()(const Tensor& x) const { return avg_pool1d(x, kernel, options); }
};
struct AdaptiveAvgPool1d {
    int64_t size = 0;  // of the result
    Tensor operator()(const Tensor& x) const { return adaptive_avg_pool1d(x, size); }
};

}  // namespace heed
