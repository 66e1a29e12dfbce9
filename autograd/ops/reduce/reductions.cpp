#include "autograd/ops/reduce/reductions.h"

#include <array>
#include <cmath>
#include <limits>

#include "autograd/base/user_call.h"
#include "autograd/kernels/loops.h"
#include "autograd/kernels/reduce.h"
#include "autograd/ops/elementwise/unary.h"
#include "autograd/ops/reduce/scaling.h"
#include "autograd/ops/shape/shape_ops.h"
#include "autograd/record/inner.h"
#include "autograd/record/record.h"

namespace heed {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

// The axes of x that are kept and those that are reduced, and the shape of the result.
struct Partition {
    Layout kept, reduced;
    Shape result, result_keepdim;
};

// Which axes of x are reduced. Throws, naming the operation.
std::array<bool, max_axes> mark_axes(const Tensor& x, const AxesOrAll& axes,
                                     const char* operation) {
    std::array<bool, max_axes> reduced{};
    for (int64_t axis : axes) {
        bool& mark = reduced[x.shape().axis(axis, operation)];
        check(!mark, "{}: axis {} is named twice in {}", operation, axis, static_cast<Axes>(axes));
        mark = true;
    }
    return reduced;
}

Partition partition(const Tensor& x, const AxesOrAll& axes, const char* operation) {
    const auto marked = mark_axes(x, axes, operation);
    Partition parts;
    for (int i = 0; i < x.dim(); ++i) {
        const bool reduce = axes.count == 0 || marked[i];
        Layout& part = reduce ? parts.reduced : parts.kept;
        part.shape.push(x.shape()[i]);
        part.strides.push(x.strides()[i]);
        parts.result_keepdim.push(reduce ? 1 : x.shape()[i]);
    }
    parts.result = parts.kept.shape;
    return parts;
}

template <class Op>
Tensor reduce(const Tensor& x, const Partition& parts, bool keepdim) {
    Tensor out = empty(keepdim ? parts.result_keepdim : parts.result, x.dtype());
    with_dtype(x.dtype(), [&]<class T>(T) {
        const T* from = x.data<T>();
        T* to = out.edit<T>();
        const int64_t count = parts.reduced.shape.numel();
        const LoopNest<1> kept(parts.result, {&parts.kept});
        const LoopNest<1> reduced(parts.reduced.shape, {&parts.reduced});
        const int64_t step = reduced.stride[reduced.axes - 1][0];
        const int64_t kept_step = kept.stride[kept.axes - 1][0];
        if (out.numel() == 1 && reduced.axes == 1 && step == 1) {
            *to = reduce_all<Op>(from, count);
            return;
        }
        const int64_t grain = std::max<int64_t>(64, parallel_grain / std::max<int64_t>(count, 1));
        parallel_for(out.numel(), grain, [&](int64_t begin, int64_t end) {
            kept.rows(begin, end, [&](const auto& start, int64_t first, int64_t n) {
                if (kept_step == 1 && step != 1 && count > 0) {
                    reduce_columns<Op>(from + start[0], to + first, n, reduced, count);
                    return;
                }
                for (int64_t i = 0; i < n; ++i) {
                    const T* p = from + start[0] + i * kept_step;
                    if (reduced.axes == 1) {  // one run, with nothing to add it to
                        to[first + i] = reduce_run<Op>(p, count, step);
                        continue;
                    }
                    typename Op::template Total<T> total;
                    reduced.rows(0, count, [&](const auto& offset, int64_t, int64_t length) {
                        total.add(reduce_run<Op>(p + offset[0], length, step));
                    });
                    to[first + i] = total.value();
                }
            });
        });
    });
    return out;
}

// n - correction. Throws unless it is positive, or there are no results.
double divisor_of(const Partition& parts, int64_t correction, const char* operation) {
    const int64_t count = parts.reduced.shape.numel();
    check(count > correction || parts.result.numel() == 0,
          "{}: {} elements are too few for a divisor of n - {}", operation, count, correction);
    return static_cast<double>(count - correction);
}

// A reduced tensor, or its gradient, repeated along the axes that were reduced.
Tensor expand_back(const Tensor& y, const Shape& keepdim, const Shape& full) {
    return expand(reshape(y, keepdim), full);
}

// y = Σ x          dL/dx = g for every element
Tensor sum_of(const Tensor& x, const Partition& parts, bool keepdim) {
    return record("sum", reduce<SumOf>(x, parts, keepdim), x,
                  [reduced = parts.result_keepdim, full = x.shape()](const Tensor& g) {
                      return expand_back(g, reduced, full);
                  });
}

template <class Op>
Tensor max_or_min(const char* name, const Tensor& x, const AxesOrAll& axes, bool keepdim) {
    const Partition parts = partition(x, axes, name);
    // As sum() and argmax(): no rows give no results; but a row without elements has no largest or smallest.
    if (parts.reduced.shape.numel() == 0)
        fail("{}: shape {} holds no element{}", name, x.shape(),
             axes.count > 0 ? fmt::format(" along axis {}", static_cast<Axes>(axes)) : "");
    // The elements equal to it share the gradient evenly; if it is NaN, those that are NaN.
    return record(name, reduce<Op>(x, parts, keepdim), x,
                  [=, reduced = parts.result_keepdim](const Tensor& g, const Tensor& y) {
                      const Tensor equal =
                          equal_or_nan(detach(x), expand_back(detach(y), reduced, x.shape()));
                      const Tensor count = expand_back(sum(equal, axes, true), reduced, x.shape());
                      return expand_back(g, reduced, x.shape()) * (equal / count);
                  });
}

template <class Better>
Indices argmax_or_argmin(const Tensor& x, int axis, const char* name, Better better) {
    const int a = x.shape().axis(axis, name);
    check(x.shape()[a] > 0, "{}: axis {} of shape {} is empty", name, axis, x.shape());
    const Partition parts = partition(x, {a}, name);
    std::vector<int> indices(parts.result.numel());
    with_dtype(x.dtype(), [&]<class T>(T) {
        const LoopNest<1> kept(parts.result, {&parts.kept});
        const int64_t step = x.strides()[a], size = x.shape()[a];
        const int64_t kept_step = kept.stride[kept.axes - 1][0];
        kept.rows(0, parts.result.numel(), [&](const auto& start, int64_t first, int64_t n) {
            for (int64_t i = 0; i < n; ++i) {
                const T* p = x.data<T>() + start[0] + i * kept_step;
                int best = 0;
                for (int64_t k = 1; k < size; ++k)
                    if (better(p[k * step], p[best * step])) best = static_cast<int>(k);
                indices[first + i] = best;
            }
        });
    });
    return Indices(std::move(indices), parts.result);
}

}  // namespace

Tensor sum(const Tensor& x, const AxesOrAll& axes, Flag keepdim) {
    check_defined("sum", x);
    return sum_of(x, partition(x, axes, "sum"), keepdim);
}

Tensor mean(const Tensor& x, const AxesOrAll& axes, Flag keepdim) {
    check_defined("mean", x);
    const Tensor total = sum_of(x, partition(x, axes, "mean"), keepdim);
    const int64_t count = x.numel() / std::max<int64_t>(total.numel(), 1);
    return total / static_cast<double>(count);
}

// The distances of equal numbers to their rounded mean are equal, too, and so small that their own mean
// is exact. It is taken off, and they become 0 (Chan, Golub and LeVeque 1983).
Tensor centred(const Tensor& x, const AxesOrAll& axes) {
    const UserCall named("centred");
    check_defined("centred", x);
    const Tensor distance = x - mean(x, axes, true);
    return distance - mean(detach(distance), axes, true);
}

Tensor var(const Tensor& x, const AxesOrAll& axes, Flag keepdim, Integer correction) {
    check_defined("var", x);
    const double divisor = divisor_of(partition(x, axes, "var"), correction, "var");
    return sum(square(centred(x, axes)), axes, keepdim) / divisor;
}

// y = √var x          dL/dx = g (x - mean) / ((n - correction) y); where y = 0 it is divided by ∞
Tensor stddev(const Tensor& x, const AxesOrAll& axes, Flag keepdim, Integer correction) {
    check_defined("stddev", x);
    const Partition parts = partition(x, axes, "stddev");
    const double divisor = divisor_of(parts, correction, "stddev");
    Tensor value, s;  // s: the power of two that x is multiplied by, if its squares do not fit
    {
        const InnerOperations inner;
        value = sqrt(var(x, axes, true, correction));
        if (!scaling::powers_fitted(value, 2)) {
            s = scaling::scales(x, axes);
            value = sqrt(var(x * s, axes, true, correction)) / s;
        }
        if (!keepdim) value = reshape(value, parts.result);
    }
    return record("stddev", std::move(value), x,
                  [=, reduced = parts.result_keepdim](const Tensor& g, const Tensor& y) {
                      const auto scaled = [&](const Tensor& numbers) {
                          return s.defined() ? numbers * s : numbers;
                      };
                      const Tensor spread = scaled(reshape(where(y == 0.0, infinity, y), reduced));
                      return centred(scaled(x), axes) / spread * reshape(g / divisor, reduced);
                  });
}

// y = (Σ |x|ᵖ)^(1/p)          dL/dx = g sign(x) (|x| / y)ᵖ⁻¹;  for p = 2: g x / y
// Where y = 0, x is divided by ∞: so the gradient is 0 there, and so are its own gradients.
Tensor norm(const Tensor& x, double p, const AxesOrAll& axes, Flag keepdim) {
    const UserCall named("norm");
    check_defined("norm", x);
    check(p >= 1, "norm: p must be at least 1, got {}", p);
    const Partition parts = partition(x, axes, "norm");
    if (p == infinity)  // the slope of |x| is that of -x, 0 or x: for NaN it is 1
        return max(where(x == 0.0, 0.0, where(x < 0.0, -x, x)), axes, keepdim);
    if (p == 1) return sum(abs(x), axes, keepdim);
    const int64_t count = parts.reduced.shape.numel();
    Tensor value;
    {
        const InnerOperations inner;
        const auto norm_of = [&](const Tensor& some) {
            return p == 2 ? sqrt(sum(square(some), axes, true))
                          : pow(sum(pow(abs(some), p), axes, true), 1 / p);
        };
        value = norm_of(x);
        if (count > 0 && !scaling::powers_fitted(value, p)) {
            const Tensor s = scaling::scales(x, axes);
            value = norm_of(x * s) / s;
        }
        if (!keepdim) value = reshape(value, parts.result);
    }
    return record("norm", std::move(value), x,
                  [=, reduced = parts.result_keepdim](const Tensor& g, const Tensor& y) {
                      const Tensor divisor = reshape(where(y == 0.0, infinity, y), reduced);
                      const Tensor factor = reshape(g, reduced);
                      if (p == 2) return x / divisor * factor;
                      const Tensor share = where(x == 0.0, 1.0, abs(x) / divisor);
                      return factor * sign(x) * pow(share, p - 1);
                  });
}

// Neighbours are multiplied until one number is left. So each gradient is a product of other factors,
// never a quotient, and zeros do no harm.
Tensor prod(const Tensor& x, const AxesOrAll& axes, Flag keepdim) {
    check_defined("prod", x);
    const Partition parts = partition(x, axes, "prod");
    Axes order;  // the kept axes, then the reduced ones
    const auto marked = mark_axes(x, axes, "prod");
    for (const bool reduce : {false, true})
        for (int i = 0; i < x.dim(); ++i)
            if ((axes.count == 0 || marked[i]) == reduce) order.push(i);
    Tensor y = reshape(permute(x, order), {parts.kept.shape.numel(), parts.reduced.shape.numel()});
    if (y.size(1) == 0) y = pad(y, 1, 0, 1, 1);
    while (y.size(1) > 1) {
        if (y.size(1) % 2 == 1) y = pad(y, 1, 0, 1, 1);
        const int64_t half = y.size(1) / 2;
        y = slice(y, 1, 0, half) * slice(y, 1, half, 2 * half);
    }
    return reshape(y, keepdim ? parts.result_keepdim : parts.result);
}

Tensor max(const Tensor& x, const AxesOrAll& axes, Flag keepdim) {
    check_defined("max", x);
    return max_or_min<MaxOf>("max", x, axes, keepdim);
}
Tensor min(const Tensor& x, const AxesOrAll& axes, Flag keepdim) {
    check_defined("min", x);
    return max_or_min<MinOf>("min", x, axes, keepdim);
}

// y = m + ln Σ e^(x - m)          dL/dx = g e^(x - m) / Σ e^(x - m)
// That is g e^(x - y), but y, a large m plus a small logarithm, has lost the logarithm's digits. Where
// all x are -∞ the quotient is 0 / 0 = NaN, unless no gradient arrives.
Tensor logsumexp(const Tensor& x, const AxesOrAll& axes, Flag keepdim) {
    check_defined("logsumexp", x);
    const Partition parts = partition(x, axes, "logsumexp");
    Tensor value, m;
    {
        const InnerOperations inner;
        const Tensor largest = reduce<MaxOf>(x, parts, true);
        // Beside an infinity every other element is negligible: exp(x - m) is 0, however large x is.
        const double top = with_dtype(
            x.dtype(), []<class T>(T) -> double { return std::numeric_limits<T>::max(); });
        m = where(abs(largest) < infinity, largest, (largest > 0.0) * top);
        value = log(sum(exp(x - m), axes, true)) + m;
        if (!keepdim) value = reshape(value, parts.result);
    }
    return record("logsumexp", std::move(value), x,
                  [=, reduced = parts.result_keepdim](const Tensor& g) {
                      const Tensor e = exp(x - m), total = sum(e, axes, true);
                      const Tensor share = 1 / where(total == 0.0, not_a_number, total);
                      return weighted(reshape(g, reduced), share) * e;
                  });
}

Tensor any(const Tensor& mask, const AxesOrAll& axes, Flag keepdim) {
    check_defined("any", mask);
    const Tensor holds = mask != 0.0;
    return reduce<SumOf>(holds, partition(holds, axes, "any"), keepdim) > 0.0;
}
Tensor all(const Tensor& mask, const AxesOrAll& axes, Flag keepdim) {
    check_defined("all", mask);
    const Tensor fails = mask == 0.0;
    return reduce<SumOf>(fails, partition(fails, axes, "all"), keepdim) == 0.0;
}

bool allclose(const Tensor& a, const Tensor& b, double relative, double absolute, Flag equal_nan) {
    check_defined("allclose", a, b);
    check_same_dtype(a, b, "allclose");
    const Tensor close = map_elements(
        broadcast(a.shape(), b.shape(), "allclose"), a.dtype(),
        [&]<class T>(Vec<T> x, Vec<T> y) {
            const Vec<T> one(1.0), zero(0.0);
            const Vec<T> within = where(abs(x - y) <= relative * abs(y) + absolute, one, zero);
            const Vec<T> finite = where(abs(y) < Vec<T>(infinity), within, zero);
            const Vec<T> both_nan = where(x != x, where(y != y, one, zero), zero);
            return where(x == y, one, equal_nan ? maximum(finite, both_nan) : finite);
        },
        a, b);
    return all(close).item() == 1;
}

Indices argmax(const Tensor& x, Integer axis) {
    check_defined("argmax", x);
    return argmax_or_argmin(x, axis, "argmax",
                            [](auto a, auto b) { return a > b || (a != a && b == b); });
}
Indices argmin(const Tensor& x, Integer axis) {
    check_defined("argmin", x);
    return argmax_or_argmin(x, axis, "argmin",
                            [](auto a, auto b) { return a < b || (a != a && b == b); });
}

Tensor sum_to(const Tensor& x, const Shape& shape) {
    check_defined("sum_to", x);
    if (x.shape() == shape) return x;
    check(broadcasts_to(shape, x.shape()), "sum_to: {} was not broadcast from {}", x.shape(),
          shape);
    AxesOrAll axes;
    const int extra = x.dim() - shape.count;
    for (int i = 0; i < x.dim(); ++i)
        if (i < extra || (shape[i - extra] == 1 && x.shape()[i] != 1)) axes.push(i);
    return reshape(axes.count > 0 ? sum(x, axes, true) : x, shape);
}

}  // namespace heed
