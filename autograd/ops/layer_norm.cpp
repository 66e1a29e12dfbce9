#include "autograd/ops/layer_norm.h"

#include <array>
#include <cmath>

#include "autograd/ops/binary.h"
#include "autograd/ops/reductions.h"
#include "autograd/ops/rows.h"
#include "autograd/ops/unary.h"
#include "autograd/record/record.h"

namespace heed {
namespace {

// The normalised numbers of a row are u = (x - mean) r with r = 1 / √(var + eps). Backward needs of
// each row, besides x:
template <class T>
struct RowMoments {
    T mean, r;
};

// y = u w + b. The mean is computed before the variance, in a pass of its own: mean(x²) - mean(x)²
// would lose the digits of a small variance around a large mean.
template <class T>
RowMoments<T> normalise_row(const T* x, const T* w, const T* b, T* y, int64_t n, double eps) {
    Vec<T> sums(0.0), squares(0.0);
    each_register<T>(n, [&](int64_t i, auto count) { sums += take(x + i, count); });
    const T mean = sum(sums) / n;
    each_register<T>(n, [&](int64_t i, auto count) {
        const Vec<T> distance = take(x + i, count, mean) - Vec<T>(mean);
        squares += distance * distance;
    });
    const T r = 1 / std::sqrt(sum(squares) / n + static_cast<T>(eps));
    each_register<T>(n, [&](int64_t i, auto count) {
        const Vec<T> u = (take(x + i, count) - Vec<T>(mean)) * Vec<T>(r);
        put(u * take(w + i, count) + take(b + i, count), y + i, count);
    });
    return {mean, r};
}

// dL/dw = Σ g u and dL/db = Σ g over the rows: adds the terms of this row to dw and db.
// dL/dx = r (h - mean(h) - u mean(h u)) with h = g w
template <class T>
void normalise_row_backward(const T* g, const T* x, const T* w, RowMoments<T> kept, T* dx, T* dw,
                            T* db, int64_t n) {
    const Vec<T> mean(kept.mean), r(kept.r);
    Vec<T> sum_h(0.0), sum_hu(0.0);
    each_register<T>(n, [&](int64_t i, auto count) {
        const Vec<T> gi = take(g + i, count), u = (take(x + i, count) - mean) * r;
        const Vec<T> h = gi * take(w + i, count);
        sum_h += h;
        sum_hu += h * u;
        put(take(dw + i, count) + gi * u, dw + i, count);
        put(take(db + i, count) + gi, db + i, count);
    });
    const Vec<T> mean_h(sum(sum_h) / n), mean_hu(sum(sum_hu) / n);
    each_register<T>(n, [&](int64_t i, auto count) {
        const Vec<T> u = (take(x + i, count) - mean) * r;
        const Vec<T> h = take(g + i, count) * take(w + i, count);
        put(r * (h - mean_h - u * mean_hu), dx + i, count);
    });
}

// All rows: the gradients of x, scale and shift.
std::array<Tensor, 3> backward(const Tensor& g, const Tensor& x, const Tensor& scale,
                               const Tensor& moments) {
    const int64_t n = x.shape().back(), rows = x.numel() / n;
    Tensor dx = empty(x.shape(), x.dtype());
    Tensor dw = zeros({n}, x.dtype()), db = zeros({n}, x.dtype());
    with_dtype(x.dtype(), [&]<class T>(T) {
        const Rows<T> xs(x), gs(g);
        const T* w = scale.data<T>();
        const auto* kept = reinterpret_cast<const RowMoments<T>*>(moments.body()->bytes);
        T* out = dx.edit<T>();

        // The sums over rows: each chunk of rows is summed, then the sums of the chunks are added in
        // order. There are at most 16 chunks, and as many for any number of threads, so the bits are
        // always the same.
        const int64_t grain = std::max(rows_per_chunk(n), (rows + 15) / 16);
        const int64_t chunks = (rows + grain - 1) / grain;
        Tensor parts = zeros({chunks, 2, n}, x.dtype());
        T* part = parts.edit<T>();
        parallel_for(rows, grain, [&](int64_t begin, int64_t end) {
            T* own = part + begin / grain * 2 * n;
            for (int64_t row = begin; row < end; ++row)
                normalise_row_backward(gs[row], xs[row], w, kept[row], out + row * n, own, own + n,
                                       n);
        });
        T *sum_w = dw.edit<T>(), *sum_b = db.edit<T>();
        for (int64_t chunk = 0; chunk < chunks; ++chunk, part += 2 * n)
            for (int64_t i = 0; i < n; ++i) {
                sum_w[i] += part[i];
                sum_b[i] += part[n + i];
            }
    });
    return {dx, dw, db};
}

void check_inputs(const Tensor& x, const Tensor& scale, const Tensor& shift, double eps) {
    check(x.defined(), "layer_norm: the input is not defined");
    check(x.dim() > 0 && x.shape().back() > 0,
          "layer_norm: the input needs a last axis to normalise over; got shape {}", x.shape());
    check(eps >= 0, "layer_norm: eps must not be negative; got {}", eps);
    const auto check_fits = [&](const Tensor& p, const char* name) {
        if (!p.defined()) return;
        check_same_dtype(x, p, "layer_norm");
        check(p.shape() == Shape{x.shape().back()},
              "layer_norm: {} must have shape [{}], the last axis of the input {}; got {}", name,
              x.shape().back(), x.shape(), p.shape());
    };
    check_fits(scale, "scale");
    check_fits(shift, "shift");
}

}  // namespace

Tensor layer_norm(const Tensor& x, const Tensor& scale, const Tensor& shift, double eps) {
    check_defined("layer_norm", x);
    check_inputs(x, scale, shift, eps);
    const int64_t n = x.shape().back();
    const Tensor w = scale.defined() ? contiguous_rows(detach(scale)) : ones({n}, x.dtype());
    const Tensor b = shift.defined() ? contiguous_rows(detach(shift)) : zeros({n}, x.dtype());
    Tensor y = empty(x.shape(), x.dtype());
    const Tensor moments = empty({x.numel() / n, 2}, x.dtype());  // the RowMoments
    with_dtype(x.dtype(), [&]<class T>(T) {
        const Rows<T> xs(x);
        const T *ws = w.data<T>(), *bs = b.data<T>();
        T* out = y.edit<T>();
        auto* kept = reinterpret_cast<RowMoments<T>*>(moments.body()->bytes);
        for_each_row(x.shape(), [&](int64_t row) {
            kept[row] = normalise_row(xs[row], ws, bs, out + row * n, n, eps);
        });
    });
    return record_fused(
        "layer_norm", std::move(y), std::array{x, scale, shift},
        [=](const Tensor& x1, const Tensor& scale1, const Tensor& shift1) {
            return layer_norm_definition(x1, scale1, shift1, eps);
        },
        [=](const Tensor& g) { return backward(g, x, w, moments); });
}

Tensor layer_norm_definition(const Tensor& x, const Tensor& scale, const Tensor& shift,
                             double eps) {
    check_inputs(x, scale, shift, eps);
    const Tensor distance = x - mean(x, -1, true);
    Tensor y = distance * rsqrt(mean(square(distance), -1, true) + eps);
    if (scale.defined()) y = y * scale;
    if (shift.defined()) y = y + shift;
    return y;
}

}  // namespace heed
