#include "autograd/ops/reductions.h"

#include <array>
#include <limits>

#include "autograd/kernels/loops.h"
#include "autograd/ops/shape_ops.h"
#include "autograd/ops/unary.h"
#include "autograd/record/record.h"

namespace heed {
namespace {

// What the kernels need to know of a reduction: where it starts and how two parts are joined. NaN wins
// over every number, wherever it stands.
struct SumOf {
    template <class T> static T start() { return T(0); }
    template <class T> static T join(T a, T b) { return a + b; }
};
struct MaxOf {
    template <class T> static T start() { return -std::numeric_limits<T>::infinity(); }
    template <class T> static T join(T a, T b) { return a > b || a != a ? a : b; }
    template <class T> static Vec<T> join(Vec<T> a, Vec<T> b) {
        return where(a != a, a, maximum(a, b));
    }
};
struct MinOf {
    template <class T> static T start() { return std::numeric_limits<T>::infinity(); }
    template <class T> static T join(T a, T b) { return a < b || a != a ? a : b; }
    template <class T> static Vec<T> join(Vec<T> a, Vec<T> b) {
        return where(a != a, a, minimum(a, b));
    }
};

// n contiguous elements. Four registers hide the latency of the addition.
template <class Op, class T>
T reduce_run(const T* p, int64_t n) {
    constexpr int lanes = Vec<T>::lanes;
    T total = Op::template start<T>();
    int64_t i = 0;
    if (n >= 4 * lanes) {
        Vec<T> part[4];
        for (int k = 0; k < 4; ++k) part[k] = Vec<T>::load(p + k * lanes);
        for (i = 4 * lanes; i + 4 * lanes <= n; i += 4 * lanes)
            for (int k = 0; k < 4; ++k)
                part[k] = Op::join(part[k], Vec<T>::load(p + i + k * lanes));
        const Vec<T> joined = Op::join(Op::join(part[0], part[1]), Op::join(part[2], part[3]));
        for (int k = 0; k < lanes; ++k) total = Op::join(total, joined[k]);
    }
    for (; i < n; ++i) total = Op::join(total, p[i]);
    return total;
}

// The axes of x that stay, then those that go, each as a view to walk over.
struct Parts {
    Tensor kept, gone;
    Shape result, result_keepdim;
};

// Which axes of x go. Throws, naming the operation.
std::array<bool, max_axes> mark_axes(const Tensor& x, const Reduce& axes, const char* operation) {
    std::array<bool, max_axes> goes{};
    for (int64_t axis : axes) {
        bool& mark = goes[x.shape().axis(axis, operation)];
        check(!mark, "{}: axis {} stands twice in {}", operation, axis, static_cast<Axes>(axes));
        mark = true;
    }
    return goes;
}

Parts take_apart(const Tensor& x, const Reduce& axes, const char* operation) {
    const auto goes = mark_axes(x, axes, operation);
    Parts parts;
    Shape gone_shape;
    Strides kept_strides, gone_strides;
    for (int i = 0; i < x.dim(); ++i) {
        const bool reduce = axes.count == 0 || goes[i];
        (reduce ? gone_shape : parts.result).push(x.shape()[i]);
        (reduce ? gone_strides : kept_strides).push(x.strides()[i]);
        parts.result_keepdim.push(reduce ? 1 : x.shape()[i]);
    }
    parts.kept = view_of(x, parts.result, kept_strides);
    parts.gone = view_of(x, gone_shape, gone_strides);
    return parts;
}

// Everything into one number, in chunks whose borders do not depend on the threads.
template <class Op, class T>
T reduce_all(const T* p, int64_t n) {
    if (n <= parallel_grain) return reduce_run<Op>(p, n);
    std::vector<T> partial((n + parallel_grain - 1) / parallel_grain);
    parallel_for(n, parallel_grain, [&](int64_t begin, int64_t end) {
        partial[begin / parallel_grain] = reduce_run<Op>(p + begin, end - begin);
    });
    return reduce_run<Op>(partial.data(), static_cast<int64_t>(partial.size()));
}

// `columns` neighbouring results at once: down the columns of a matrix, a register of them at a time.
template <class Op, class T>
void reduce_columns(const T* p, T* out, int64_t columns, const LoopNest<1>& gone, int64_t count) {
    constexpr int lanes = Vec<T>::lanes;
    for (int64_t first = 0; first < columns; first += 4 * lanes) {
        const int64_t left = std::min<int64_t>(columns - first, 4 * lanes);
        Vec<T> part[4] = {Op::template start<T>(), Op::template start<T>(),
                          Op::template start<T>(), Op::template start<T>()};
        const int64_t step = gone.stride[gone.axes - 1][0];
        gone.rows(0, count, [&](const auto& offset, int64_t, int64_t n) {
            const T* q = p + first + offset[0];
            for (int64_t i = 0; i < n; ++i, q += step) {
                if (left == 4 * lanes)
                    for (int k = 0; k < 4; ++k)
                        part[k] = Op::join(part[k], Vec<T>::load(q + k * lanes));
                else
                    for (int k = 0; k * lanes < left; ++k)
                        part[k] = Op::join(
                            part[k], Vec<T>::load(q + k * lanes,
                                                  std::min<int64_t>(left - k * lanes, lanes)));
            }
        });
        for (int k = 0; k * lanes < left; ++k)
            part[k].store(out + first + k * lanes, std::min<int64_t>(left - k * lanes, lanes));
    }
}

template <class Op>
Tensor reduce(const Tensor& x, const Parts& parts, bool keepdim) {
    Tensor out = empty(keepdim ? parts.result_keepdim : parts.result, x.dtype());
    with_dtype(x.dtype(), [&]<class T>(T) {
        const T* from = x.data<T>();
        T* to = out.edit<T>();
        const int64_t count = parts.gone.numel();
        const LoopNest<1> kept(parts.result, {&parts.kept});
        const LoopNest<1> gone(parts.gone.shape(), {&parts.gone});
        const int64_t step = gone.stride[gone.axes - 1][0];
        const int64_t kept_step = kept.stride[kept.axes - 1][0];
        if (out.numel() == 1 && gone.axes == 1 && step == 1) {
            *to = reduce_all<Op>(from, count);
            return;
        }
        const int64_t grain = std::max<int64_t>(64, parallel_grain / std::max<int64_t>(count, 1));
        parallel_for(out.numel(), grain, [&](int64_t begin, int64_t end) {
            kept.rows(begin, end, [&](const auto& start, int64_t first, int64_t n) {
                if (kept_step == 1 && step != 1 && count > 0) {
                    reduce_columns<Op>(from + start[0], to + first, n, gone, count);
                    return;
                }
                for (int64_t i = 0; i < n; ++i) {
                    const T* p = from + start[0] + i * kept_step;
                    T total = Op::template start<T>();
                    gone.rows(0, count, [&](const auto& offset, int64_t, int64_t length) {
                        const T* q = p + offset[0];
                        if (step == 1)
                            total = Op::join(total, reduce_run<Op>(q, length));
                        else
                            for (int64_t k = 0; k < length; ++k)
                                total = Op::join(total, q[k * step]);
                    });
                    to[first + i] = total;
                }
            });
        });
    });
    return out;
}

// A reduced tensor (or its gradient) stretched back over the axes that went.
Tensor stretch(const Tensor& y, const Shape& keepdim, const Shape& full) {
    return expand(reshape(y, keepdim), full);
}

// y = Σ x          dL/dx = g at every place
Tensor sum_of(const Tensor& x, const Parts& parts, bool keepdim) {
    return record("sum", reduce<SumOf>(x, parts, keepdim), x,
                  [reduced = parts.result_keepdim, full = x.shape()](const Tensor& g) {
                      return stretch(g, reduced, full);
                  });
}

template <class Op>
Tensor extreme(const char* name, const Tensor& x, const Reduce& axes, bool keepdim) {
    const Parts parts = take_apart(x, axes, name);
    check(x.numel() > 0, "{}: shape {} holds no element", name, x.shape());
    // The elements equal to the extreme share the gradient evenly.
    return record(name, reduce<Op>(x, parts, keepdim), x,
                  [=, reduced = parts.result_keepdim](const Tensor& g, const Tensor& y) {
                      const Tensor hit = detach(x) == stretch(detach(y), reduced, x.shape());
                      const Tensor hits = stretch(sum(hit, axes, true), reduced, x.shape());
                      return stretch(g, reduced, x.shape()) * (hit / hits);
                  });
}

template <class Better>
Indices find(const Tensor& x, int axis, const char* name, Better better) {
    const int a = x.shape().axis(axis, name);
    check(x.shape()[a] > 0, "{}: axis {} of shape {} is empty", name, axis, x.shape());
    const Parts parts = take_apart(x, {a}, name);
    std::vector<int> places(parts.result.numel());
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
                places[first + i] = best;
            }
        });
    });
    return Indices(std::move(places), parts.result);
}

}  // namespace

Tensor sum(const Tensor& x, const Reduce& axes, bool keepdim) {
    return sum_of(x, take_apart(x, axes, "sum"), keepdim);
}

Tensor mean(const Tensor& x, const Reduce& axes, bool keepdim) {
    const Tensor total = sum_of(x, take_apart(x, axes, "mean"), keepdim);
    const int64_t count = x.numel() / std::max<int64_t>(total.numel(), 1);
    return total / static_cast<double>(count);
}

Tensor var(const Tensor& x, const Reduce& axes, bool keepdim, int correction) {
    mark_axes(x, axes, "var");
    const Tensor total = sum(square(x - mean(x, axes, true)), axes, keepdim);
    const int64_t count = x.numel() / std::max<int64_t>(total.numel(), 1);
    check(count > correction, "var: {} elements are too few for a divisor of n - {}", count,
          correction);
    return total / static_cast<double>(count - correction);
}

Tensor max(const Tensor& x, const Reduce& axes, bool keepdim) {
    return extreme<MaxOf>("max", x, axes, keepdim);
}
Tensor min(const Tensor& x, const Reduce& axes, bool keepdim) {
    return extreme<MinOf>("min", x, axes, keepdim);
}

// y = m + ln Σ e^(x - m)          dL/dx = g e^(x - y)
Tensor logsumexp(const Tensor& x, const Reduce& axes, bool keepdim) {
    const Parts parts = take_apart(x, axes, "logsumexp");
    Tensor value;
    {
        NoGrad no_grad;
        const Tensor largest = reduce<MaxOf>(x, parts, true);
        const Tensor m = where(abs(largest) < std::numeric_limits<double>::infinity(), largest, 0.0);
        value = log(sum(exp(x - m), axes, true)) + m;
        if (!keepdim) value = reshape(value, parts.result);
    }
    return record("logsumexp", std::move(value), x,
                  [=, reduced = parts.result_keepdim](const Tensor& g, const Tensor& y) {
                      return stretch(g, reduced, x.shape()) *
                             exp(x - stretch(y, reduced, x.shape()));
                  });
}

Indices argmax(const Tensor& x, int axis) {
    return find(x, axis, "argmax", [](auto a, auto b) { return a > b; });
}
Indices argmin(const Tensor& x, int axis) {
    return find(x, axis, "argmin", [](auto a, auto b) { return a < b; });
}

Tensor sum_to(const Tensor& x, const Shape& shape) {
    if (x.shape() == shape) return x;
    check(broadcasts_to(shape, x.shape()), "sum_to: {} was not broadcast from {}", x.shape(), shape);
    Reduce axes;
    const int extra = x.dim() - shape.count;
    for (int i = 0; i < x.dim(); ++i)
        if (i < extra || (shape[i - extra] == 1 && x.shape()[i] != 1)) axes.push(i);
    return reshape(axes.count > 0 ? sum(x, axes, true) : x, shape);
}

}  // namespace heed
