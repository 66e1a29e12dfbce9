#include "autograd/ops/softmax.h"

#include <cmath>
#include <limits>

#include "autograd/kernels/vec_math.h"
#include "autograd/ops/binary.h"
#include "autograd/ops/reductions.h"
#include "autograd/ops/rows.h"
#include "autograd/ops/shape_ops.h"
#include "autograd/ops/unary.h"
#include "autograd/record/record.h"

namespace heed {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// --- one row ------------------------------------------------------------------------------------
// The kernels ask `open` which places of a row count: open(v, i, count, otherwise) is v where the
// mask of numbers i to i + count is not 0, and `otherwise` elsewhere.

template <class T>
struct AllOpen {
    static constexpr bool masked = false;
    Vec<T> operator()(Vec<T> v, int64_t, auto, double) const { return v; }
};

template <class T, bool side_by_side>
struct OpenWhere {
    static constexpr bool masked = true;
    const T* mask;
    int64_t step;
    Vec<T> operator()(Vec<T> v, int64_t i, auto count, double otherwise) const {
        return where(numbers(i, count) != Vec<T>(0.0), v, Vec<T>(otherwise));
    }
    Vec<T> numbers(int64_t i, auto count) const {
        if constexpr (side_by_side)
            return take(mask + i, count);
        else
            return loops::gather(mask + i * step, step, count);
    }
};

// m = max x, or 0 if all of them are -∞: subtracting it then leaves them so. This pass is the one
// that fetches x from memory. So the mask is not selected by but added, 0 or -∞ (what gives NaN
// never is the largest): compilers would make of a selection a load under the mask, which
// processors do not prefetch.
template <class T, class Open>
T largest_of_row(const Open& open, const T* x, int64_t n) {
    Vec<T> top(-infinity);
    each_register<T>(n, [&](int64_t i, auto count) {
        const Vec<T> closed = open(Vec<T>(0.0), i, count, -infinity);
        top = maximum(take<T>(x + i, count, -infinity) + closed, top);
    });
    const T m = largest(top);
    return m == -infinity ? 0 : m;
}

// yᵢ = e^(xᵢ - m) / Σⱼ e^(xⱼ - m)
template <class T, class Open>
void softmax_row(const Open& open, const T* x, T* y, int64_t n) {
    const Vec<T> m(largest_of_row(open, x, n));
    Vec<T> sums(0.0);
    each_register<T>(n, [&](int64_t i, auto count) {
        const Vec<T> e = exp(open(take<T>(x + i, count, -infinity), i, count, -infinity) - m);
        put(e, y + i, count);
        sums += e;
    });
    const T total = sum(sums);
    const Vec<T> scale(Open::masked && total == 0 ? 0 : 1 / total);
    each_register<T>(n,
                     [&](int64_t i, auto count) { put(take(y + i, count) * scale, y + i, count); });
}

// dL/dxᵢ = yᵢ (gᵢ - Σⱼ gⱼ yⱼ)
template <class T, class Open>
void softmax_row_backward(const Open& open, const T* g, const T* y, T* dx, int64_t n) {
    Vec<T> sums(0.0);
    each_register<T>(n, [&](int64_t i, auto count) {
        sums += open(take(g + i, count) * take(y + i, count), i, count, 0);
    });
    const Vec<T> mean(sum(sums));
    each_register<T>(n, [&](int64_t i, auto count) {
        put(open(take(y + i, count) * (take(g + i, count) - mean), i, count, 0), dx + i, count);
    });
}

// yᵢ = (xᵢ - m) - ln Σⱼ e^(xⱼ - m)
template <class T>
void log_softmax_row(const T* x, T* y, int64_t n) {
    const Vec<T> m(largest_of_row(AllOpen<T>(), x, n));
    Vec<T> sums(0.0);
    each_register<T>(
        n, [&](int64_t i, auto count) { sums += exp(take<T>(x + i, count, -infinity) - m); });
    const Vec<T> log_total(std::log(sum(sums)));
    each_register<T>(
        n, [&](int64_t i, auto count) { put(take(x + i, count) - m - log_total, y + i, count); });
}

// dL/dxᵢ = gᵢ - e^yᵢ Σⱼ gⱼ
template <class T>
void log_softmax_row_backward(const T* g, const T* y, T* dx, int64_t n) {
    Vec<T> sums(0.0);
    each_register<T>(n, [&](int64_t i, auto count) { sums += take(g + i, count); });
    const Vec<T> total(sum(sums));
    each_register<T>(n, [&](int64_t i, auto count) {
        put(take(g + i, count) - exp(take(y + i, count)) * total, dx + i, count);
    });
}

// --- all rows -----------------------------------------------------------------------------------

// kernel(open, rows of xs..., row of the result, n), row by row. Everything is open without a mask.
template <class Kernel, class... Tensors>
Tensor map_rows(const Tensor& mask, const Kernel& kernel, const Tensor& x,
                const Tensors&... others) {
    Tensor out = empty(x.shape(), x.dtype());
    const int64_t n = x.shape().back();
    with_dtype(x.dtype(), [&]<class T>(T) {
        T* to = out.edit<T>();
        const auto run = [&](const auto& open_in, const auto&... rows) {
            for_each_row(x.shape(),
                         [&](int64_t r) { kernel(open_in(r), rows[r]..., to + r * n, n); });
        };
        if (!mask.defined())
            return run([](int64_t) { return AllOpen<T>(); }, Rows<T>(x), Rows<T>(others)...);
        const Rows<T> masks(mask, x.shape());
        const auto open_in = [&]<bool side_by_side>(std::bool_constant<side_by_side>) {
            return [&](int64_t r) { return OpenWhere<T, side_by_side>{masks[r], masks.step()}; };
        };
        if (masks.step() == 1)
            run(open_in(std::true_type()), Rows<T>(x), Rows<T>(others)...);
        else
            run(open_in(std::false_type()), Rows<T>(x), Rows<T>(others)...);
    });
    return out;
}

// Along the last axis, to which the operations below bring every other axis. A mask that is not
// defined leaves everything open.
Tensor softmax_of_rows(const char* name, const Tensor& x, const Tensor& mask) {
    const auto forward = [](auto open, auto... row) { softmax_row(open, row...); };
    const auto backward = [](auto open, auto... row) { softmax_row_backward(open, row...); };
    const auto rule = [=](const Tensor& g, const Tensor& y) {
        if (!grad_enabled()) return map_rows(mask, backward, g, y);
        if (!mask.defined()) return y * (g - sum(g * y, -1, true));
        const Tensor open = where(mask, g, 0.0);
        return where(mask, y * (open - sum(open * y, -1, true)), 0.0);
    };
    return record(name, map_rows(mask, forward, x), x, rule);
}

// The axis counted from 0; throws when there is none such.
int checked_axis(const char* name, const Tensor& x, int axis) {
    check(x.defined(), "{}: the input is not defined", name);
    return x.shape().axis(axis, name);
}

void check_mask(const Tensor& x, const Tensor& mask) {
    check(mask.defined(), "masked_softmax: the mask is not defined; for none use softmax");
    check_same_dtype(x, mask, "masked_softmax");
    check(broadcasts_to(mask.shape(), x.shape()),
          "masked_softmax: a mask of shape {} does not broadcast to the input's {} (aligned at the "
          "last axis, each size must be equal or 1; use unsqueeze to put in axes)",
          mask.shape(), x.shape());
}

}  // namespace

Tensor softmax(const Tensor& x, int axis) {
    const int a = checked_axis("softmax", x, axis);
    if (a < x.dim() - 1) return transpose(softmax(transpose(x, a, -1)), a, -1);
    return softmax_of_rows("softmax", x, Tensor());
}

Tensor softmax_definition(const Tensor& x, int axis) {
    // Subtracting m changes nothing but the size of what is computed, so it takes no gradient.
    const Tensor m = detach(max(x, axis, true));
    const Tensor e = exp(x - m);
    return e / sum(e, axis, true);
}

Tensor masked_softmax(const Tensor& x, const Tensor& mask, int axis) {
    const int a = checked_axis("masked_softmax", x, axis);
    check_mask(x, mask);
    const Tensor constant = detach(mask);
    if (a == x.dim() - 1) return softmax_of_rows("masked_softmax", x, constant);
    const Tensor moved = transpose(expand(constant, x.shape()), a, -1);
    return transpose(masked_softmax(transpose(x, a, -1), moved), a, -1);
}

Tensor masked_softmax_definition(const Tensor& x, const Tensor& mask, int axis) {
    const Tensor open = detach(mask);
    Tensor m = detach(max(where(open, x, -infinity), axis, true));
    m = where(m == -infinity, 0.0, m);
    const Tensor e = where(open, exp(where(open, x, m) - m), 0.0);
    const Tensor total = sum(e, axis, true);
    return e / where(total == 0.0, 1.0, total);
}

Tensor log_softmax(const Tensor& x, int axis) {
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

Tensor log_softmax_definition(const Tensor& x, int axis) { return x - logsumexp(x, axis, true); }

}  // namespace heed
