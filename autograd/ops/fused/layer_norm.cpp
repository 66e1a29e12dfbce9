#include "autograd/ops/fused/layer_norm.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "autograd/base/user_call.h"
#include "autograd/kernels/sums.h"
#include "autograd/ops/elementwise/binary.h"
#include "autograd/ops/elementwise/unary.h"
#include "autograd/ops/reduce/reductions.h"
#include "autograd/ops/reduce/scaling.h"
#include "autograd/ops/shape/shape_ops.h"
#include "autograd/ops/support/rows.h"
#include "autograd/record/record.h"

namespace heed {
namespace {

// One kernel serves both: RMS normalisation is layer normalisation without the mean and the shift.
//
// The normalised numbers of a row are u = (s x - mean) r with r = 1 / √(var + s² eps), mean and var
// those of s x. s is 1, except where squares of x would overflow or vanish: there it is the power of two
// that brings the largest number near 1. The definitions do the same. Backward needs of each row,
// besides x:
template <class T>
struct RowMoments {
    T s, mean, r;
};

// The mean is computed before the variance, in a pass of its own: mean(x²) - mean(x)² would lose the
// digits of a small variance around a large mean. The second pass also sums what rounding has left of
// the distances to that mean, and takes it off (Chan, Golub and LeVeque 1983): otherwise a row of equal
// large numbers would not become zeros.
template <bool centred, class T>
RowMoments<T> moments_of(const T* x, int64_t n, T s, T eps) {
    const T mean =
        centred
            ? row_sum<T>(n, [&](int64_t i, auto count) { return take(x + i, count) * Vec<T>(s); }) /
                  n
            : 0;
    const auto [distances, squares] = row_sums<T, 2>(n, [&](int64_t i, auto count, auto& sums) {
        const Vec<T> distance =
            first_lanes<T>(take(x + i, count) * Vec<T>(s) - Vec<T>(mean), count, 0);
        sums[0] += distance;
        sums[1] += distance * distance;
    });
    const T rest = centred ? distances / n : 0;
    const T variance = std::max(squares / n - rest * rest, T(0));  // a NaN stays
    return {s, mean + rest, 1 / std::sqrt(variance + eps)};
}

// y = u w + b. A NaN or an infinity in x makes the mean or the variance NaN, and with it the row.
template <bool centred, class T>
RowMoments<T> normalise_row(const T* x, const T* w, const T* b, T* y, int64_t n, double eps) {
    RowMoments<T> kept = moments_of<centred, T>(x, n, 1, static_cast<T>(eps));
    if (!(kept.r > 0 && kept.r < std::numeric_limits<T>::infinity())) [[unlikely]] {
        T largest = 0;
        for (int64_t i = 0; i < n; ++i) largest = std::max(largest, std::abs(x[i]));
        if (const T s = scaling::scale_of(largest, scaling::far<T>); s != 1)
            kept = moments_of<centred, T>(x, n, s, scaling::eps_of(s, eps));
    }
    const Vec<T> s(kept.s), mean(kept.mean), r(kept.r);
    each_register<T>(n, [&](int64_t i, auto count) {
        const Vec<T> u = (take(x + i, count) * s - mean) * r;
        put(u * take(w + i, count) + take(b + i, count), y + i, count);
    });
    return kept;
}

// dL/dw = Σ g u and dL/db = Σ g over the rows: adds the terms of this row to dw and db.
// dL/dx = s r (h - mean(h) - u mean(h u)) with h = g w; without mean(h) if not centred
template <bool centred, class T>
void normalise_row_backward(const T* g, const T* x, const T* w, RowMoments<T> kept, T* dx, T* dw,
                            T* db, int64_t n) {
    const Vec<T> s(kept.s), mean(kept.mean), r(kept.r), sr(kept.s * kept.r);
    const auto [sum_h, sum_hu] = row_sums<T, 2>(n, [&](int64_t i, auto count, auto& sums) {
        const Vec<T> gi = take(g + i, count);
        const Vec<T> u = first_lanes<T>((take(x + i, count) * s - mean) * r, count, 0);
        const Vec<T> h = gi * take(w + i, count);
        sums[0] += h;
        sums[1] += h * u;
        put(take(dw + i, count) + gi * u, dw + i, count);
        put(take(db + i, count) + gi, db + i, count);
    });
    const Vec<T> mean_h(centred ? sum_h / n : 0), mean_hu(sum_hu / n);
    each_register<T>(n, [&](int64_t i, auto count) {
        const Vec<T> u = (take(x + i, count) * s - mean) * r;
        const Vec<T> h = take(g + i, count) * take(w + i, count);
        put(sr * (h - mean_h - u * mean_hu), dx + i, count);
    });
}

// All rows: the result, and the RowMoments, [rows, 3].
struct Result {
    Tensor y, moments;
};
template <bool centred>
Result forward(const Tensor& x, const Tensor& w, const Tensor& b, double eps) {
    const int64_t n = x.shape().back();
    Result result{empty(x.shape(), x.dtype()), empty({rows_of(x.shape()), 3}, x.dtype())};
    with_dtype(x.dtype(), [&]<class T>(T) {
        const Rows<T> xs(x);
        const T *ws = w.data<T>(), *bs = b.data<T>();
        T* out = result.y.edit<T>();
        auto* kept = reinterpret_cast<RowMoments<T>*>(result.moments.body()->bytes);
        for_each_row(x.shape(), [&](int64_t row) {
            kept[row] = normalise_row<centred>(xs[row], ws, bs, out + row * n, n, eps);
        });
    });
    return result;
}

// All rows: the gradients of x, scale and shift.
template <bool centred>
std::array<Tensor, 3> backward(const Tensor& g, const Tensor& x, const Tensor& scale,
                               const Tensor& moments) {
    const int64_t n = x.shape().back(), rows = rows_of(x.shape());
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
        Tensor parts = zeros({chunks, 2, 3, n}, x.dtype());
        T* part = parts.edit<T>();
        parallel_for(rows, grain, [&](int64_t begin, int64_t end) {
            T* own = part + begin / grain * 6 * n;
            ColumnSums<T> sum_w(own, n), sum_b(own + 3 * n, n);
            for (int64_t row = begin; row < end; ++row) {
                normalise_row_backward<centred>(gs[row], xs[row], w, kept[row], out + row * n,
                                                sum_w.terms(), sum_b.terms(), n);
                sum_w.next_row();
                sum_b.next_row();
            }
            sum_w.finish();
            sum_b.finish();
        });
        T *sum_w = dw.edit<T>(), *sum_b = db.edit<T>();
        for (int64_t chunk = 0; chunk < chunks; ++chunk, part += 6 * n)
            for (int64_t i = 0; i < n; ++i) {
                sum_w[i] += part[n + i];
                sum_b[i] += part[4 * n + i];
            }
    });
    return {dx, dw, db};
}

void check_inputs(const char* name, const Tensor& x, const Tensor& scale, const Tensor& shift,
                  double eps) {
    check_defined(name, x);
    check(x.dim() > 0, "{}: the input needs a last axis to normalise over; got shape {}", name,
          x.shape());
    check(eps >= 0, "{}: eps must not be negative; got {}", name, eps);
    const auto check_fits = [&](const Tensor& p, const char* what) {
        if (!p.defined()) return;
        check_same_dtype(x, p, name);
        check(p.shape() == Shape{x.shape().back()},
              "{}: {} must have shape [{}], the last axis of the input {}; got {}", name, what,
              x.shape().back(), x.shape(), p.shape());
    };
    check_fits(scale, "scale");
    check_fits(shift, "shift");
}

// scale or shift as the kernel reads it.
Tensor vector_or(const Tensor& p, const Tensor& x, double otherwise) {
    return p.defined() ? contiguous_rows(detach(p))
                       : full({x.shape().back()}, otherwise, x.dtype());
}

}  // namespace

Tensor layer_norm(const Tensor& x, const Tensor& scale, const Tensor& shift, double eps) {
    check_inputs("layer_norm", x, scale, shift, eps);
    const Tensor w = vector_or(scale, x, 1);
    Result result = forward<true>(x, w, vector_or(shift, x, 0), eps);
    return record_fused(
        "layer_norm", std::move(result.y), std::array{x, scale, shift},
        [=](const Tensor& x1, const Tensor& scale1, const Tensor& shift1) {
            return layer_norm_definition(x1, scale1, shift1, eps);
        },
        [=, moments = result.moments](const Tensor& g) {
            return backward<true>(g, x, w, moments);
        });
}

Tensor layer_norm_definition(const Tensor& x, const Tensor& scale, const Tensor& shift,
                             double eps) {
    const UserCall named("layer_norm_definition");
    check_inputs("layer_norm", x, scale, shift, eps);
    const Tensor s = scaling::scales_for_squares(x, -1, eps);  // 1, for numbers of common size
    const Tensor distance = centred(x * s, -1);
    Tensor y = distance * rsqrt(mean(square(distance), -1, true) + scaling::eps_of(s, eps));
    if (scale.defined()) y = y * scale;
    if (shift.defined()) y = y + shift;
    return y;
}

Tensor rms_norm(const Tensor& x, const Tensor& scale, double eps) {
    check_inputs("rms_norm", x, scale, {}, eps);
    const Tensor w = vector_or(scale, x, 1);
    Result result = forward<false>(x, w, zeros({x.shape().back()}, x.dtype()), eps);
    return record_fused(
        "rms_norm", std::move(result.y), std::array{x, scale},
        [=](const Tensor& x1, const Tensor& scale1) {
            return rms_norm_definition(x1, scale1, eps);
        },
        [=, moments = result.moments](const Tensor& g) {
            auto [dx, dw, db] = backward<false>(g, x, w, moments);
            return std::array{dx, dw};
        });
}

Tensor rms_norm_definition(const Tensor& x, const Tensor& scale, double eps) {
    const UserCall named("rms_norm_definition");
    check_inputs("rms_norm", x, scale, {}, eps);
    const Tensor s = scaling::scales_for_squares(x, -1, eps), u = x * s;
    const Tensor y = u * rsqrt(mean(square(u), -1, true) + scaling::eps_of(s, eps));
    return scale.defined() ? y * scale : y;
}

}  // namespace heed
