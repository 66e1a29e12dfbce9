#include "nn/layers/normalisation.h"

#include <limits>

#include "autograd/base/settings.h"
#include "autograd/ops/elementwise/binary.h"
#include "autograd/ops/elementwise/unary.h"
#include "autograd/ops/fused/batch_norm.h"
#include "autograd/ops/fused/layer_norm.h"
#include "autograd/ops/shape/shape_ops.h"
#include "autograd/record/grad_mode.h"
#include "autograd/tensor/shapes.h"
#include "nn/module/hooks.h"

namespace heed {
namespace {

// A vector over the channels, [C], as a tensor that broadcasts against x [B, C, ...].
Tensor over_channels(const Tensor& v, const Tensor& x) {
    Shape shape;
    for (int i = 0; i < x.dim(); ++i) shape.push(i == 1 ? v.size(0) : 1);
    return reshape(v, shape);
}

// The width that a layer was made for.
int64_t width_of(const Tensor& weight, const char* layer) {
    check(weight.defined(), "{}: this layer has no weight; construct it with its sizes", layer);
    return weight.size(0);
}

// Shapes says the axes before a name, and x [B, C, ...] has them behind.
void check_channels(const char* layer, const Tensor& weight, const Tensor& x) {
    const int64_t channels = width_of(weight, layer);
    check_defined(layer, x);
    check(x.dim() >= 2 && x.size(1) == channels, "{}: x is {}; expected x [B, {}, ...]", layer,
          x.shape(), channels);
}

}  // namespace

LayerNorm::LayerNorm(Integer width, Flag with_bias) {
    check_positive("LayerNorm", {{"width", width.value}});
    weight = parameter(ones({width}));
    if (with_bias) bias = parameter(zeros({width}));
}

Tensor LayerNorm::operator()(const Tensor& x) const {
    const Shapes in("LayerNorm", {{"x", x, "... D"}}, {{"D", width_of(weight, "LayerNorm")}});
    return hook(*this, "normed", layer_norm(x, weight, bias, eps));
}

RmsNorm::RmsNorm(Integer width, double epsilon) : eps(epsilon) {
    check_positive("RmsNorm", {{"width", width.value}});
    check_not_negative("RmsNorm", {{"eps", eps}});
    weight = parameter(ones({width}));
}

Tensor RmsNorm::operator()(const Tensor& x) const {
    const Shapes in("RmsNorm", {{"x", x, "... D"}}, {{"D", width_of(weight, "RmsNorm")}});
    const double unit = with_dtype(x.dtype(), []<class T>(T) {
        return static_cast<double>(std::numeric_limits<T>::epsilon());
    });
    return hook(*this, "normed", rms_norm(x, weight, eps > 0 ? eps : unit));
}

GroupNorm::GroupNorm(Integer group_count, Integer channels) : groups(group_count) {
    check_positive("GroupNorm", {{"groups", groups}, {"channels", channels.value}});
    check(channels % groups == 0, "GroupNorm: {} groups do not divide {} channels", groups,
          channels);
    weight = parameter(ones({channels}));
    bias = parameter(zeros({channels}));
}

Tensor GroupNorm::operator()(const Tensor& x) const {
    const UserCall named("GroupNorm");
    check_channels("GroupNorm", weight, x);
    // A group of channels and its pixels as one row.
    const Tensor rows =
        flatten(unflatten(x, 1, {groups, x.size(1) / groups}), 2);  // [B, groups, ...]
    const Tensor normal = reshape(layer_norm(rows, {}, {}, eps), x.shape());
    return normal * over_channels(weight, x) + over_channels(bias, x);
}

BatchNorm::BatchNorm(Integer channels) {
    check_positive("BatchNorm", {{"channels", channels.value}});
    weight = parameter(ones({channels}));
    bias = parameter(zeros({channels}));
    running_mean = zeros({channels});
    running_var = ones({channels});
    num_batches_tracked = scalar(0);
}

Tensor BatchNorm::operator()(const Tensor& x, Mode mode) const {
    const UserCall named("BatchNorm");
    check_channels("BatchNorm", weight, x);
    if (!mode.is_training("BatchNorm"))
        return (x - over_channels(running_mean, x)) *
                   (rsqrt(over_channels(running_var, x) + eps) * over_channels(weight, x)) +
               over_channels(bias, x);

    const int64_t n = x.numel() / x.size(1);
    check(n > 1, "BatchNorm: {} has {} value for each channel; training needs two or more",
          x.shape(), n);
    const auto [y, now, variance] = batch_norm(x, weight, bias, eps);

    // The running averages: r = (1 - momentum) r + momentum now.
    const NoGrad no_grad;
    const auto follow = [&](Tensor running, const Tensor& seen) {
        running.assign(running * (1 - momentum) + seen * momentum);
    };
    follow(running_mean, now);
    follow(running_var, variance * (static_cast<double>(n) / static_cast<double>(n - 1)));
    Tensor count = num_batches_tracked;
    count.assign(count + 1.0);
    return y;
}

Tensor BatchNorm1d::operator()(const Tensor& x, Mode mode) const {
    const UserCall named("BatchNorm1d");
    check(x.defined() && (x.dim() == 2 || x.dim() == 3),
          "BatchNorm1d: x is {}; expected x [B, C] or [B, C, T]", ShapeOf{x});
    return BatchNorm::operator()(x, mode);
}

Tensor BatchNorm2d::operator()(const Tensor& x, Mode mode) const {
    const Shapes in("BatchNorm2d", {{"x", x, "B C H W"}});
    return BatchNorm::operator()(x, mode);
}

}  // namespace heed
