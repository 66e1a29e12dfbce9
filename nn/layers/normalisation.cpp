#include "nn/layers/normalisation.h"

#include <array>
#include <cmath>
#include <limits>

#include "autograd/base/parallel.h"
#include "autograd/base/settings.h"
#include "autograd/kernels/sums.h"
#include "autograd/ops/elementwise/binary.h"
#include "autograd/ops/elementwise/unary.h"
#include "autograd/ops/fused/layer_norm.h"
#include "autograd/ops/reduce/reductions.h"
#include "autograd/ops/reduce/scaling.h"
#include "autograd/ops/shape/shape_ops.h"
#include "autograd/record/finite.h"
#include "autograd/record/grad_mode.h"
#include "autograd/record/record.h"
#include "autograd/tensor/shapes.h"

namespace heed {
namespace {

// A vector over the channels, [C], as a tensor that broadcasts against x [B, C, ...].
Tensor over_channels(const Tensor& v, const Tensor& x) {
    Shape shape;
    for (int i = 0; i < x.dim(); ++i) shape.push(i == 1 ? v.size(0) : 1);
    return reshape(v, shape);
}

// All axes but the channels.
AxesOrAll axes_but_channels(const Tensor& x) {
    AxesOrAll axes;
    for (int i = 0; i < x.dim(); ++i)
        if (i != 1) axes.push(i);
    return axes;
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

// --- batch normalisation as a kernel ---------------------------------------------------------------
//
// The numbers of a channel lie in B pieces, one for each example, each of P pixels. With their mean and
// r = 1 / √(var + eps), u = (x - mean) r is a channel's normalised numbers, and
//
//     y = u w + b          dL/dw = Σ g u          dL/db = Σ g
//     dL/dx = w r (g - mean(g) - u mean(g u))
//
// A piece is summed as kernels/sums.h does, the pieces in double precision.

template <class T>
struct Channels {
    int64_t examples, channels, pixels;
    explicit Channels(const Tensor& x)
        : examples(x.size(0)), channels(x.size(1)), pixels(x.numel() / (x.size(0) * x.size(1))) {}

    double count() const { return static_cast<double>(examples * pixels); }
    // f(channel) for all of them, on all threads.
    template <class F>
    void for_each(const F& f) const {
        const int64_t grain = std::max<int64_t>(1, parallel_grain / (examples * pixels));
        parallel_for(channels, grain, [&](int64_t begin, int64_t end) {
            for (int64_t c = begin; c < end; ++c) f(c);
        });
    }
    // f(offset of the piece) for the pieces of channel c.
    template <class F>
    void for_each_piece(int64_t c, const F& f) const {
        for (int64_t b = 0; b < examples; ++b) f((b * channels + c) * pixels);
    }
};

// [2, C]: the mean and the variance (divisor n) of each channel.
Tensor moments_of_channels(const Tensor& x) {
    Tensor moments = empty({2, x.size(1)}, x.dtype());
    with_dtype(x.dtype(), [&]<class T>(T) {
        const Channels<T> all(x);
        const T* xs = x.data<T>();
        T* to = moments.edit<T>();
        all.for_each([&](int64_t c) {
            double sum = 0, distances = 0, squares = 0;
            all.for_each_piece(c, [&](int64_t at) {
                sum += row_sum<T>(all.pixels,
                                  [&](int64_t i, auto count) { return take(xs + at + i, count); });
            });
            const T mean = static_cast<T>(sum / all.count());
            all.for_each_piece(c, [&](int64_t at) {
                const auto [part, part_squares] =
                    row_sums<T, 2>(all.pixels, [&](int64_t i, auto count, auto& sums) {
                        const Vec<T> distance =
                            first_lanes<T>(take(xs + at + i, count) - Vec<T>(mean), count, 0);
                        sums[0] += distance;
                        sums[1] += distance * distance;
                    });
                distances += part;
                squares += part_squares;
            });
            const double rest = distances / all.count();  // what rounding left, as in layer_norm
            to[c] = static_cast<T>(mean + rest);
            to[all.channels + c] =
                static_cast<T>(std::max(squares / all.count() - rest * rest, 0.0));
        });
    });
    return moments;
}

Tensor normalised_channels(const Tensor& x, const Tensor& moments, const Tensor& weight,
                           const Tensor& bias, double eps) {
    Tensor y = empty(x.shape(), x.dtype());
    with_dtype(x.dtype(), [&]<class T>(T) {
        const Channels<T> all(x);
        const T *xs = x.data<T>(), *m = moments.data<T>(), *w = weight.data<T>();
        const T* b = bias.data<T>();
        T* out = y.edit<T>();
        all.for_each([&](int64_t c) {
            const T r = 1 / std::sqrt(m[all.channels + c] + static_cast<T>(eps));
            const Vec<T> mean(m[c]), scale(r * w[c]), shift(b[c]);
            all.for_each_piece(c, [&](int64_t at) {
                each_register<T>(all.pixels, [&](int64_t i, auto count) {
                    put((take(xs + at + i, count) - mean) * scale + shift, out + at + i, count);
                });
            });
        });
    });
    return y;
}

std::array<Tensor, 3> normalised_channels_backward(const Tensor& g, const Tensor& x,
                                                   const Tensor& moments, const Tensor& weight,
                                                   double eps) {
    std::array<Tensor, 3> gradients{empty(x.shape(), x.dtype()), empty(weight.shape(), x.dtype()),
                                    empty(weight.shape(), x.dtype())};
    with_dtype(x.dtype(), [&]<class T>(T) {
        const Channels<T> all(x);
        const T *gs = g.data<T>(), *xs = x.data<T>(), *m = moments.data<T>();
        const T* w = weight.data<T>();
        T *dx = gradients[0].edit<T>(), *dw = gradients[1].edit<T>(), *db = gradients[2].edit<T>();
        all.for_each([&](int64_t c) {
            const Vec<T> mean(m[c]), r(1 / std::sqrt(m[all.channels + c] + static_cast<T>(eps)));
            double sum_g = 0, sum_gu = 0;
            all.for_each_piece(c, [&](int64_t at) {
                const auto [part_g, part_gu] =
                    row_sums<T, 2>(all.pixels, [&](int64_t i, auto count, auto& sums) {
                        const Vec<T> gi = take(gs + at + i, count);
                        sums[0] += gi;
                        sums[1] += gi * (take(xs + at + i, count) - mean) * r;
                    });
                sum_g += part_g;
                sum_gu += part_gu;
            });
            dw[c] = static_cast<T>(sum_gu);
            db[c] = static_cast<T>(sum_g);
            const Vec<T> mean_g(sum_g / all.count()), mean_gu(sum_gu / all.count()),
                wr(w[c] * r.r[0]);
            all.for_each_piece(c, [&](int64_t at) {
                each_register<T>(all.pixels, [&](int64_t i, auto count) {
                    const Vec<T> u = (take(xs + at + i, count) - mean) * r;
                    put(wr * (take(gs + at + i, count) - mean_g - u * mean_gu), dx + at + i, count);
                });
            });
        });
    });
    return gradients;
}

// The same in plain operations.
Tensor batch_norm_definition(const Tensor& x, const Tensor& weight, const Tensor& bias,
                             double eps) {
    const AxesOrAll axes = axes_but_channels(x);
    const auto normalised = [&](const Tensor& distance, const Tensor& variance_and_eps) {
        return distance * (rsqrt(variance_and_eps) * over_channels(weight, x)) +
               over_channels(bias, x);
    };
    const Tensor distance = centred(x, axes);
    const Tensor variance = mean(square(distance), axes, true);
    if (all_finite(variance)) return normalised(distance, variance + eps);
    // Squares overflowed: the same with scaled numbers. A NaN stays one.
    const Tensor scale = scaling::scales_for_squares(x, axes, eps), scaled = x * scale;
    const Tensor around = centred(scaled, axes);
    return normalised(around, mean(square(around), axes, true) + scaling::eps_of(scale, eps));
}

Tensor batch_norm(const Tensor& x, const Tensor& moments, const Tensor& weight, const Tensor& bias,
                  double eps) {
    const Tensor w = contiguous(detach(weight)), b = contiguous(detach(bias));
    return record_fused(
        "batch_norm", normalised_channels(x, moments, w, b, eps), std::array{x, weight, bias},
        [=](const Tensor& x1, const Tensor& weight1, const Tensor& bias1) {
            return batch_norm_definition(x1, weight1, bias1, eps);
        },
        [=, x = detach(x)](const Tensor& g) {
            return normalised_channels_backward(contiguous(g), x, moments, w, eps);
        });
}

}  // namespace

LayerNorm::LayerNorm(Integer width, Flag with_bias) {
    check_positive("LayerNorm", {{"width", width.value}});
    weight = parameter(ones({width}));
    if (with_bias) bias = parameter(zeros({width}));
}

Tensor LayerNorm::operator()(const Tensor& x) const {
    const Shapes in("LayerNorm", {{"x", x, "... D"}}, {{"D", width_of(weight, "LayerNorm")}});
    return layer_norm(x, weight, bias, eps);
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
    return rms_norm(x, weight, eps > 0 ? eps : unit);
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
    const Tensor numbers = contiguous(x), moments = moments_of_channels(detach(numbers));
    const Tensor center = select(moments, 0, 0), variance = select(moments, 0, 1);

    // The running averages: r = (1 - momentum) r + momentum now.
    {
        const NoGrad no_grad;
        const auto follow = [&](Tensor running, const Tensor& now) {
            running.assign(running * (1 - momentum) + now * momentum);
        };
        follow(running_mean, center);
        follow(running_var, variance * (static_cast<double>(n) / static_cast<double>(n - 1)));
        Tensor count = num_batches_tracked;
        count.assign(count + 1.0);
    }
    // Squares may have overflowed. And pieces of a few numbers are no work for a kernel.
    if (!all_finite(variance) || n < 16 * x.size(0))
        return batch_norm_definition(x, weight, bias, eps);
    return batch_norm(numbers, moments, weight, bias, eps);
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
