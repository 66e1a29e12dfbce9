#include "nn/layers/normalisation.h"

#include <limits>

#include "autograd/base/user_call.h"
#include "autograd/ops/binary.h"
#include "autograd/ops/layer_norm.h"
#include "autograd/ops/reductions.h"
#include "autograd/ops/scaling.h"
#include "autograd/ops/shape_ops.h"
#include "autograd/ops/unary.h"
#include "autograd/record/grad_mode.h"
#include "nn/module/changed_buffers.h"

namespace heed {
namespace {

// A vector over the channels, [C], as a tensor that broadcasts against x [B, C, ...].
Tensor over_channels(const Tensor& v, const Tensor& x) {
    Shape shape;
    for (int i = 0; i < x.dim(); ++i) shape.push(i == 1 ? v.size(0) : 1);
    return reshape(v, shape);
}

// All axes but the channels.
Reduce axes_but_channels(const Tensor& x) {
    Reduce axes;
    for (int i = 0; i < x.dim(); ++i)
        if (i != 1) axes.push(i);
    return axes;
}

void check_channels(const char* layer, const Tensor& weight, const Tensor& x) {
    check(weight.defined(), "{}: this layer has no weight; construct it with its channels", layer);
    check(x.dim() >= 2 && x.size(1) == weight.size(0), "{}: expected [B, {}, ...], got {}", layer,
          weight.size(0), x.shape());
}

}  // namespace

LayerNorm::LayerNorm(int64_t width, bool with_bias) {
    check(width > 0, "LayerNorm: expected a positive width, got {}", width);
    weight = parameter(ones({width}));
    if (with_bias) bias = parameter(zeros({width}));
}

Tensor LayerNorm::operator()(const Tensor& x) const {
    const UserCall named("LayerNorm");
    check(weight.defined(), "LayerNorm: this layer has no scale; construct it with its width");
    check_defined("LayerNorm", x);
    check(x.dim() > 0 && x.size(-1) == weight.size(0), "LayerNorm: expected [..., {}], got {}",
          weight.size(0), x.shape());
    return layer_norm(x, weight, bias, eps);
}

RmsNorm::RmsNorm(int64_t width, double epsilon) : eps(epsilon) {
    check(width > 0, "RmsNorm: expected a positive width, got {}", width);
    check(eps >= 0, "RmsNorm: eps must not be negative, got {}", eps);
    weight = parameter(ones({width}));
}

Tensor RmsNorm::operator()(const Tensor& x) const {
    const UserCall named("RmsNorm");
    check(weight.defined(), "RmsNorm: this layer has no scale; construct it with its width");
    check_defined("RmsNorm", x);
    check(x.dim() > 0 && x.size(-1) == weight.size(0), "RmsNorm: expected [..., {}], got {}",
          weight.size(0), x.shape());
    const double unit = with_dtype(x.dtype(), []<class T>(T) {
        return static_cast<double>(std::numeric_limits<T>::epsilon());
    });
    return rms_norm(x, weight, eps > 0 ? eps : unit);
}

GroupNorm::GroupNorm(int64_t group_count, int64_t channels) : groups(group_count) {
    check(groups > 0 && channels > 0 && channels % groups == 0,
          "GroupNorm: {} channels cannot be divided into {} groups", channels, groups);
    weight = parameter(ones({channels}));
    bias = parameter(zeros({channels}));
}

Tensor GroupNorm::operator()(const Tensor& x) const {
    const UserCall named("GroupNorm");
    check_defined("GroupNorm", x);
    check_channels("GroupNorm", weight, x);
    // A group of channels and its pixels as one row.
    const int64_t row = x.numel() / std::max<int64_t>(x.size(0) * groups, 1);
    const Tensor rows = reshape(x, {x.size(0) * groups, row});
    const Tensor normal = reshape(layer_norm(rows, {}, {}, eps), x.shape());
    return normal * over_channels(weight, x) + over_channels(bias, x);
}

BatchNorm::BatchNorm(int64_t channels) {
    check(channels > 0, "BatchNorm: expected a positive number of channels, got {}", channels);
    weight = parameter(ones({channels}));
    bias = parameter(zeros({channels}));
    running_mean = zeros({channels});
    running_var = ones({channels});
    num_batches_tracked = scalar(0);
}

Tensor BatchNorm::operator()(const Tensor& x, Mode mode) const {
    const UserCall named("BatchNorm");
    check_defined("BatchNorm", x);
    check_channels("BatchNorm", weight, x);
    const auto normalised = [&](const Tensor& distance, const Tensor& variance_and_eps) {
        return distance * (rsqrt(variance_and_eps) * over_channels(weight, x)) +
               over_channels(bias, x);
    };
    if (!mode.is_training("BatchNorm"))
        return normalised(x - over_channels(running_mean, x), over_channels(running_var, x) + eps);

    const Reduce axes = axes_but_channels(x);
    const int64_t n = x.numel() / x.size(1);
    check(n > 1, "BatchNorm: {} has {} value for each channel; training needs two or more",
          x.shape(), n);
    const Tensor center = mean(x, axes, true);
    const Tensor distance = x - center;
    const Tensor variance = mean(square(distance), axes, true);

    // The running averages: r = (1 - momentum) r + momentum now.
    {
        const NoGrad no_grad;
        const auto follow = [&](Tensor running, const Tensor& now) {
            running.assign(running * (1 - momentum) +
                           reshape(detach(now), running.shape()) * momentum);
            note_changed_buffer(running);
        };
        follow(running_mean, center);
        follow(running_var, variance * (static_cast<double>(n) / static_cast<double>(n - 1)));
        Tensor count = num_batches_tracked;
        count.assign(count + 1.0);
        note_changed_buffer(count);
    }
    if (all(isfinite(variance)).item() == 1) return normalised(distance, variance + eps);

    // Squares overflowed: the same with scaled numbers. A NaN stays one.
    const Tensor scale = scaling::scales_for_squares(x, axes, eps);
    const Tensor scaled = x * scale, around = scaled - mean(scaled, axes, true);
    return normalised(around, mean(square(around), axes, true) + scaling::eps_of(scale, eps));
}

Tensor BatchNorm1d::operator()(const Tensor& x, Mode mode) const {
    const UserCall named("BatchNorm1d");
    check_defined("BatchNorm1d", x);
    check(x.dim() == 2 || x.dim() == 3, "BatchNorm1d: expected [B, C] or [B, C, T], got {}",
          x.shape());
    return BatchNorm::operator()(x, mode);
}

Tensor BatchNorm2d::operator()(const Tensor& x, Mode mode) const {
    const UserCall named("BatchNorm2d");
    check_defined("BatchNorm2d", x);
    check(x.dim() == 4, "BatchNorm2d: expected [B, C, H, W], got {}", x.shape());
    return BatchNorm::operator()(x, mode);
}

}  // namespace heed
