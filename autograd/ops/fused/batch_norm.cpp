#include "autograd/ops/fused/batch_norm.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "autograd/base/parallel.h"
#include "autograd/base/user_call.h"
#include "autograd/kernels/sums.h"
#include "autograd/ops/elementwise/binary.h"
#include "autograd/ops/elementwise/copies.h"
#include "autograd/ops/elementwise/unary.h"
#include "autograd/ops/reduce/reductions.h"
#include "autograd/ops/reduce/scaling.h"
#include "autograd/ops/shape/shape_ops.h"
#include "autograd/record/record.h"

namespace heed {
namespace {

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

// [2, C]: the mean and the variance of each channel.
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

void check_inputs(const char* name, const Tensor& x, const Tensor& weight, const Tensor& bias,
                  double eps) {
    check_defined(name, x, weight, bias);
    check(x.dim() >= 2 && x.numel() > 0, "{}: expected x [B, C, ...] with numbers, got {}", name,
          x.shape());
    check(eps >= 0, "{}: eps must not be negative; got {}", name, eps);
    const auto check_fits = [&](const Tensor& p, const char* what) {
        check_same_dtype(x, p, name);
        check(p.shape() == Shape{x.size(1)},
              "{}: {} must have shape [{}], the channels of x {}; got {}", name, what, x.size(1),
              x.shape(), p.shape());
    };
    check_fits(weight, "weight");
    check_fits(bias, "bias");
}

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

}  // namespace

BatchNormResult batch_norm(const Tensor& x, const Tensor& weight, const Tensor& bias, double eps) {
    check_inputs("batch_norm", x, weight, bias, eps);
    const Tensor numbers = contiguous(x), moments = moments_of_channels(detach(numbers));
    const Tensor mean = select(moments, 0, 0), variance = select(moments, 0, 1);
    // Squares may have overflowed. And pieces of a few numbers are no work for a kernel.
    if (!all_finite(variance) || x.numel() / x.size(1) < 16 * x.size(0))
        return {batch_norm_definition(x, weight, bias, eps), mean, variance};

    const Tensor w = contiguous(detach(weight)), b = contiguous(detach(bias));
    Tensor y = record_fused(
        "batch_norm", normalised_channels(numbers, moments, w, b, eps),
        std::array{numbers, weight, bias},
        [=](const Tensor& x1, const Tensor& weight1, const Tensor& bias1) {
            return batch_norm_definition(x1, weight1, bias1, eps);
        },
        [=, numbers = detach(numbers)](const Tensor& g) {
            return normalised_channels_backward(contiguous(g), numbers, moments, w, eps);
        });
    return {std::move(y), mean, variance};
}

Tensor batch_norm_definition(const Tensor& x, const Tensor& weight, const Tensor& bias,
                             double eps) {
    const UserCall named("batch_norm_definition");
    check_inputs("batch_norm_definition", x, weight, bias, eps);
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

}  // namespace heed
