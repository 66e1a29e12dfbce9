// Normalisation: subtract a mean, divide by a standard deviation, then scale and shift each feature
// with a learned weight and bias. The layers differ in what they average over, here for x [B, C, H, W]
// or [B, ..., D]:
//
//     LayerNorm   the last axis, for each row alone
//     RmsNorm     the same, without a mean and without a bias
//     GroupNorm   a group of channels and all pixels, for each example alone
//     BatchNorm   the whole batch and all pixels, for each channel alone
//
// BatchNorm depends on the batch, so training and evaluation differ: see nn/module/mode.h.
#pragma once

#include "autograd/tensor/tensor.h"
#include "nn/module/mode.h"
#include "nn/module/module.h"

namespace heed {

// y = (x - mean) / √(var + eps) weight + bias over the last axis (Ba, Kiros, Hinton 2016).
struct LayerNorm {
    Tensor weight;  // [D], the scale
    Tensor bias;    // [D], the shift, or not defined
    double eps = 1e-5;

    LayerNorm() = default;
    explicit LayerNorm(Integer width, Flag with_bias = true);
    void visit(auto&& f) { f("weight", weight), f("bias", bias); }

    Tensor operator()(const Tensor& x) const;  // x [..., D] -> [..., D]
};

// y = x / √(mean(x²) + eps) weight over the last axis (Zhang and Sennrich 2019, equation 4).
struct RmsNorm {
    Tensor weight;   // [D]
    double eps = 0;  // 0: the distance from 1 to the next number of the dtype, as in PyTorch

    RmsNorm() = default;
    explicit RmsNorm(Integer width, double epsilon = 0);
    void visit(auto&& f) { f("weight", weight); }

    Tensor operator()(const Tensor& x) const;  // x [..., D] -> [..., D]
};

// The channels are divided into groups of neighbours; each group of each example is normalised, then
// each channel scaled and shifted (Wu and He 2018, section 3.1).
struct GroupNorm {
    int64_t groups = 1;
    Tensor weight, bias;  // [C]
    double eps = 1e-5;

    GroupNorm() = default;
    GroupNorm(Integer group_count, Integer channels);  // throws unless groups divide the channels
    void visit(auto&& f) { f("weight", weight), f("bias", bias); }

    Tensor operator()(const Tensor& x) const;  // x [B, C, ...] -> the same
};

// In training each channel is normalised by its mean and variance over the batch,
//
//     y = (x - mean) / √(var + eps) weight + bias,
//
// and the running averages of both are updated: r = (1 - momentum) r + momentum now. In evaluation the
// running averages are used instead of the batch's (Ioffe and Szegedy 2015, algorithms 1 and 2). As in
// PyTorch, the variance of the formula has the divisor n, the one for the running average n - 1.
//
// A call in training changes the buffers, so two threads must not share the layer then.
struct BatchNorm {
    Tensor weight, bias;               // [C]
    Buffer running_mean, running_var;  // [C]; 0 and 1 at first
    Buffer num_batches_tracked;        // []; how many training calls there were
    double momentum = 0.1;
    double eps = 1e-5;

    BatchNorm() = default;
    explicit BatchNorm(Integer channels);
    void visit(auto&& f) {
        f("weight", weight), f("bias", bias);
        f("running_mean", running_mean), f("running_var", running_var);
        f("num_batches_tracked", num_batches_tracked);
    }

    // x [B, C, ...] -> the same. The mode must be given. Throws in training when a channel has one
    // value only.
    Tensor operator()(const Tensor& x, Mode mode) const;
};

// The same under PyTorch's names, with its expectations.
struct BatchNorm1d : BatchNorm {
    using BatchNorm::BatchNorm;
    Tensor operator()(const Tensor& x, Mode mode) const;  // x [B, C] or [B, C, T] -> the same
};
struct BatchNorm2d : BatchNorm {
    using BatchNorm::BatchNorm;
    Tensor operator()(const Tensor& x, Mode mode) const;  // x [B, C, H, W] -> the same
};

}  // namespace heed
