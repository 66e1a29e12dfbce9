#include "autograd/ops/fused/softmax.h"

#include <cmath>
#include <limits>

#include "autograd/base/user_call.h"
#include "autograd/kernels/sums.h"
#include "autograd/kernels/vec_math.h"
#include "autograd/ops/elementwise/binary.h"
#include "autograd/ops/elementwise/unary.h"
#include "autograd/ops/reduce/reductions.h"
#include "autograd/ops/shape/shape_ops.h"
#include "autograd/ops/support/rows.h"
#include "autograd/record/record.h"

namespace heed {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// --- one row ------------------------------------------------------------------------------------
// Bad numbers show. The largest number of a row passes over a NaN, but e^NaN is NaN, and so are the
// sum and everything divided by it; so is e^(∞ - ∞). A kernel needs no test for them: it only must
// not mistake a sum that is NaN for one that is 0.
//
// A kernel goes through a row by registers. allowed(v, i, count, otherwise) is v where the mask of the
// numbers i to i + count is not 0, and `otherwise` where it is 0.

template <class T>
struct NoMask {
    static constexpr bool masked = false;
    Vec<T> operator()(Vec<T> v, int64_t, auto, double) const { return v; }
};

template <class T, bool contiguous_mask>
struct MaskedRow {
    static constexpr bool masked = true;
    const T* mask;
    int64_t step;
    Vec<T> operator()(Vec<T> v, int64_t i, auto count, double otherwise) const {
        return where(numbers(i, count) != Vec<T>(0.0), v, Vec<T>(otherwise));
    }
    Vec<T> numbers(int64_t i, auto count) const {
        if constexpr (contiguous_mask)
            return take(mask + i, count);
        else
            return loops::gather(mask + i * step, step, count);
    }
};

// m = max x, or 0 if all of them are -∞, so that x - m is still -∞ and not NaN. This pass is the one
// that fetches x from memory, so the mask is added to x, as 0 or -∞ (a sum that is NaN is never the
// largest). Compilers would turn a selection by the mask into a load under the mask, which processors
// do not prefetch.
template <class T, class Allowed>
T largest_of_row(const Allowed& allowed, const T* x, int64_t n) {
    Vec<T> top(-infinity);
    each_register<T>(n, [&](int64_t i, auto count) {
        const Vec<T> zero_or_minus_infinity = allowed(Vec<T>(0.0), i, count, -infinity);
        top = maximum(take<T>(x + i, count, -infinity) + zero_or_minus_infinity, top);
    });
    const T m = largest(top);
    return m == -infinity ? 0 : m;
}

// yᵢ = e^(xᵢ - m) / Σⱼ e^(xⱼ - m). The sum is at least 1 unless there is nothing to sum or a number is
// bad; only then does the mask have to be read once more: what it excludes is 0, and what it allows is
// 0 / 0 = NaN if all of it is -∞.
template <class T, class Allowed>
void softmax_row(const Allowed& allowed, const T* x, T* y, int64_t n) {
    const Vec<T> m(largest_of_row(allowed, x, n));
    const T total = row_sum<T>(n, [&](int64_t i, auto count) {
        const Vec<T> e = exp(allowed(take<T>(x + i, count, -infinity), i, count, -infinity) - m);
        put(e, y + i, count);
        return e;
    });
    const Vec<T> scale(1 / total);
    if (Allowed::masked && !(total > 0)) [[unlikely]] {
        each_register<T>(n, [&](int64_t i, auto count) {
            put(allowed(take(y + i, count) * scale, i, count, 0), y + i, count);
        });
        return;
    }
    each_register<T>(n,
                     [&](int64_t i, auto count) { put(take(y + i, count) * scale, y + i, count); });
}

// dL/dxᵢ = yᵢ (gᵢ - Σⱼ gⱼ yⱼ)
template <class T, class Allowed>
void softmax_row_backward(const Allowed& allowed, const T* g, const T* y, T* dx, int64_t n) {
    const Vec<T> mean(row_sum<T>(n, [&](int64_t i, auto count) {
        return allowed(take(g + i, count) * take(y + i, count), i, count, 0);
    }));
    each_register<T>(n, [&](int64_t i, auto count) {
        put(allowed(take(y + i, count) * (take(g + i, count) - mean), i, count, 0), dx + i, count);
    });
}

// yᵢ = (xᵢ - m) - ln Σⱼ e^(xⱼ - m)
template <class T>
void log_softmax_row(const T* x, T* y, int64_t n) {
    const Vec<T> m(largest_of_row(NoMask<T>(), x, n));
    const Vec<T> log_total(std::log(row_sum<T>(
        n, [&](int64_t i, auto count) { return exp(take<T>(x + i, count, -infinity) - m); })));
    each_register<T>(
        n, [&](int64_t i, auto count) { put(take(x + i, count) - m - log_total, y + i, count); });
}

// dL/dxᵢ = gᵢ - e^yᵢ Σⱼ gⱼ
template <class T>
void log_softmax_row_backward(const T* g, const T* y, T* dx, int64_t n) {
    const Vec<T> total(row_sum<T>(n, [&](int64_t i, auto count) { return take(g + i, count); }));
    each_register<T>(n, [&](int64_t i, auto count) {
        put(take(g + i, count) - exp(take(y + i, count)) * total, dx + i, count);
    });
}

// --- all rows -----------------------------------------------------------------------------------

// kernel(allowed, rows of xs..., row of the result, n), row by row; without a mask all is allowed.
template <class Kernel, class... Tensors>
Tensor map_rows(const Tensor& mask, const Kernel& kernel, const Tensor& x,
                const Tensors&... others) {
    Tensor out = empty(x.shape(), x.dtype());
    const int64_t n = x.shape().back();
    with_dtype(x.dtype(), [&]<class T>(T) {
        T* to = out.edit<T>();
        const auto run = [&](const auto& allowed_in, const auto&... rows) {
            for_each_row(x.shape(),
                         [&](int64_t r) { kernel(allowed_in(r), rows[r]..., to + r * n, n); });
        };
        if (!mask.defined())
            return run([](int64_t) { return NoMask<T>(); }, Rows<T>(x), Rows<T>(others)...);
        const Rows<T> masks(mask, x.shape());
        const auto allowed_in = [&]<bool contiguous_mask>(std::bool_constant<contiguous_mask>) {
            return [&](int64_t r) { return MaskedRow<T, contiguous_mask>{masks[r], masks.step()}; };
        };
        if (masks.step() == 1)
            run(allowed_in(std::true_type()), Rows<T>(x), Rows<T>(others)...);
        else
            run(allowed_in(std::false_type()), Rows<T>(x), Rows<T>(others)...);
    });
    return out;
}

// Along the last axis; the operations below transpose any other axis there. The mask has the dtype of
// x, or is not defined.
Tensor softmax_of_rows(const char* name, const Tensor& x, const Tensor& mask) {
    const auto forward = [](auto allowed, auto... row) { softmax_row(allowed, row...); };
    const auto backward = [](auto allowed, auto... row) { softmax_row_backward(allowed, row...); };
    const auto rule = [=](const Tensor& g, const Tensor& y) {
        if (!grad_enabled()) return map_rows(mask, backward, g, y);
        if (!mask.defined()) return y * (g - sum(g * y, -1, true));
        const Tensor allowed = where(mask, g, 0.0);
        return where(mask, y * (allowed - sum(allowed * y, -1, true)), 0.0);
    };
    return record(name, map_rows(mask, forward, x), x, rule, mask, NoGradient());
}

// The axis, counted from 0. Throws if x has no such axis.
int checked_axis(const char* name, const Tensor& x, int axis) {
    check(x.defined(), "{}: the input is not defined", name);
    return x.shape().axis(axis, name);
}

// The mask without those leading axes of size 1 that x does not have.
Tensor without_leading_ones(Tensor mask, const Tensor& x) {
    while (mask.defined() && mask.dim() > x.dim() && mask.size(0) == 1) mask = select(mask, 0, 0);
    return mask;
}

void check_mask(const Tensor& x, const Tensor& mask) {
    check(mask.defined(), "masked_softmax: the mask is not defined; for none use softmax");
    check(broadcasts_to(mask.shape(), x.shape()),
          "masked_softmax: a mask of shape {} does not broadcast to the input's {} (aligned at the "
          "last axis, each size must be equal or 1; unsqueeze() inserts axes)",
          mask.shape(), x.shape());
    check(
        all_finite(mask),
        "masked_softmax: the mask holds NaN or an infinity; a mask is 1 where a number takes part "
        "and 0 where it does not. To add 0 and -inf to the input, write softmax(x + mask)");
}

}  // namespace

Tensor softmax(const Tensor& x, Integer axis) {
    const int a = checked_axis("softmax", x, axis);
    if (a < x.dim() - 1) return transpose(softmax(transpose(x, a, -1)), a, -1);
    return softmax_of_rows("softmax", x, Tensor());
}

Tensor softmax_definition(const Tensor& x, Integer axis) {
    const UserCall named("softmax_definition");
    // The result does not depend on m, which only keeps exp from overflowing: it needs no gradient.
    const Tensor m = detach(max(x, axis, true));
    const Tensor e = exp(x - m);
    return e / sum(e, axis, true);
}

Tensor masked_softmax(const Tensor& x, const Tensor& given_mask, Integer axis) {
    const int a = checked_axis("masked_softmax", x, axis);
    const Tensor mask = without_leading_ones(given_mask, x);
    check_mask(x, mask);
    const Tensor constant = mask_to_dtype(detach(mask), x.dtype());
    if (a == x.dim() - 1) return softmax_of_rows("masked_softmax", x, constant);
    const Tensor moved = transpose(expand(constant, x.shape()), a, -1);
    return transpose(masked_softmax(transpose(x, a, -1), moved), a, -1);
}

Tensor masked_softmax_definition(const Tensor& x, const Tensor& given_mask, Integer axis) {
    const UserCall named("masked_softmax_definition");
    const Tensor mask = without_leading_ones(given_mask, x);
    Tensor m = detach(max(where(mask, x, -infinity), axis, true));
    m = where(m == -infinity, 0.0, m);
    const Tensor e = where(mask, exp(where(mask, x, m) - m), 0.0);
    const Tensor some = any(expand(mask_to_dtype(mask, x.dtype()), x.shape()), axis, true);
    return where(mask, e / where(some, sum(e, axis, true), 1.0), 0.0);
}

Tensor log_softmax(const Tensor& x, Integer axis) {
    const int a = checked_axis("log_softmax", x, axis);
    if (a < x.dim() - 1) return transpose(log_softmax(transpose(x, a, -1)), a, -1);
    const auto forward = [](auto, auto... row) { log_softmax_row(row...); };
    const auto backward = [](auto, auto... row) { log_softmax_row_backward(row...); };
    const auto rule = [=](const Tensor& g, const Tensor& y) {
        if (!grad_enabled()) return map_rows(Tensor(), backward, g, y);
        return g - exp(y) * sum(g, -1, true);
    };
    return record("log_softmax", map_rows(Tensor(), forward, x), x, rule);
}

Tensor log_softmax_definition(const Tensor& x, Integer axis) {
    const UserCall named("log_softmax_definition");
    // As in softmax_definition. Without it, numbers around 10,000 would lose four digits of the result.
    const Tensor distance = x - detach(max(x, axis, true));
    return distance - log(sum(exp(distance), axis, true));
}

}  // namespace heed
