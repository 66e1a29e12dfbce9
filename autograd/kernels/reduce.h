// Reductions: sum, largest and smallest of many numbers, or of each column of a matrix.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "autograd/base/parallel.h"
#include "autograd/kernels/loops.h"
#include "autograd/kernels/sums.h"
#include "autograd/kernels/vec.h"

namespace heed {
inline namespace HEED_REGISTERS {

// A reduction: the result of nothing, how two partial results are joined, and how many are gathered:
// Total<V> starts empty, takes numbers or registers by add(), and has a value(). If there is a NaN
// among the numbers, the result is NaN.
struct SumOf {
    static constexpr double start = 0;
    template <class V>
    static V join(V a, V b) {
        return a + b;
    }
    template <class V>
    using Total = Compensated<V>;
};

template <class Op, class V>
struct Extreme {
    V best = V(Op::start);
    void add(V x) { best = Op::join(best, x); }
    V value() const { return best; }
};
struct MaxOf {
    static constexpr double start = -std::numeric_limits<double>::infinity();
    template <class T>
    static T join(T a, T b) {
        return a > b || a != a ? a : b;
    }
    template <class T>
    static Vec<T> join(Vec<T> a, Vec<T> b) {
        return where(a != a, a, maximum(a, b));
    }
    template <class V>
    using Total = Extreme<MaxOf, V>;
};
struct MinOf {
    static constexpr double start = std::numeric_limits<double>::infinity();
    template <class T>
    static T join(T a, T b) {
        return a < b || a != a ? a : b;
    }
    template <class T>
    static Vec<T> join(Vec<T> a, Vec<T> b) {
        return where(a != a, a, minimum(a, b));
    }
    template <class V>
    using Total = Extreme<MinOf, V>;
};

// load(first) to load(first + count - 1) joined by halves: numbers of like size are added to each other.
template <class Op, int count, class Load>
auto join_pairs(const Load& load, int64_t first = 0) {
    if constexpr (count == 1)
        return load(first);
    else
        return Op::join(join_pairs<Op, count / 2>(load, first),
                        join_pairs<Op, count / 2>(load, first + count / 2));
}

// n numbers, `step` from one to the next. Eight registers are joined to one, and that to the total.
template <class Op, bool contiguous, class T>
T reduce_run(const T* p, int64_t step, int64_t n) {
    constexpr int64_t lanes = Vec<T>::lanes;
    if (n < lanes / 2) {  // not worth a register
        T few = T(Op::start);
        for (int64_t i = 0; i < n; ++i) few = Op::join(few, p[contiguous ? i : i * step]);
        return few;
    }
    int64_t i = 0;
    const auto load = [&](int64_t k, auto count) {
        if constexpr (contiguous)
            return take(p + i + k * lanes, count, T(Op::start));
        else
            return first_lanes(loops::gather(p + (i + k * lanes) * step, step, count), count,
                               T(Op::start));
    };
    const auto whole = [&](int64_t k) { return load(k, AllLanes<T>()); };
    const auto fold_lanes = [](Vec<T> all) {
        return fold<lanes / 2>(all, [](Vec<T> a, Vec<T> b) { return Op::join(a, b); });
    };
    if (n < 8 * lanes) {  // a few registers: they need no compensation
        Vec<T> few = i + lanes <= n ? whole(0) : load(0, n);
        for (i = lanes; i + lanes <= n; i += lanes) few = Op::join(few, whole(0));
        if (i < n) few = Op::join(few, load(0, n - i));
        return fold_lanes(few);
    }
    typename Op::template Total<Vec<T>> total;
    for (; i + 8 * lanes <= n; i += 8 * lanes) total.add(join_pairs<Op, 8>(whole));
    for (; i + lanes <= n; i += lanes) total.add(whole(0));
    if (i < n) total.add(load(0, n - i));
    return fold_lanes(total.value());
}
template <class Op, class T>
T reduce_run(const T* p, int64_t n, int64_t step = 1) {
    return step == 1 ? reduce_run<Op, true>(p, step, n) : reduce_run<Op, false>(p, step, n);
}

// All n elements, in chunks whose borders do not depend on the number of threads.
template <class Op, class T>
T reduce_all(const T* p, int64_t n) {
    if (n <= parallel_grain) return reduce_run<Op>(p, n);
    std::vector<T> partial((n + parallel_grain - 1) / parallel_grain);
    parallel_for(n, parallel_grain, [&](int64_t begin, int64_t end) {
        partial[begin / parallel_grain] = reduce_run<Op>(p + begin, end - begin);
    });
    return reduce_run<Op>(partial.data(), static_cast<int64_t>(partial.size()));
}

// `columns` neighbouring results at once: the columns of a matrix, a register of them at a time. `gone`
// are the loops over the reduced axes. Eight rows are joined to one, and that to the totals.
template <class Op, class T>
void reduce_columns(const T* p, T* out, int64_t columns, const LoopNest<1>& gone, int64_t count) {
    constexpr int64_t lanes = Vec<T>::lanes;
    const int64_t step = gone.stride[gone.axes - 1][0];
    for (int64_t first = 0; first < columns; first += 4 * lanes) {
        const int64_t left = std::min(columns - first, 4 * lanes);
        const int registers = static_cast<int>((left + lanes - 1) / lanes);
        typename Op::template Total<Vec<T>> total[4];
        // Adds n rows from q on; all four registers are full, or the last ones are not.
        const auto add_rows = [&](const T* q, int64_t n, auto full) {
            const auto load = [&](int64_t row, int k) {
                const T* from = q + row * step + k * lanes;
                return full() ? Vec<T>::load(from)
                              : Vec<T>::load(from, std::min(left - k * lanes, lanes));
            };
            const int used = full() ? 4 : registers;
            for (; n >= 8; n -= 8, q += 8 * step)
                for (int k = 0; k < used; ++k)
                    total[k].add(join_pairs<Op, 8>([&](int64_t row) { return load(row, k); }));
            for (; n > 0; --n, q += step)
                for (int k = 0; k < used; ++k) total[k].add(load(0, k));
        };
        gone.rows(0, count, [&](const auto& offset, int64_t, int64_t n) {
            const T* q = p + first + offset[0];
            left == 4 * lanes ? add_rows(q, n, std::true_type())
                              : add_rows(q, n, std::false_type());
        });
        for (int k = 0; k < registers; ++k)
            total[k].value().store(out + first + k * lanes, std::min(left - k * lanes, lanes));
    }
}

}  // namespace HEED_REGISTERS
}  // namespace heed
