// Reductions: sum, largest and smallest of many numbers, or of each column of a matrix.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "autograd/base/parallel.h"
#include "autograd/kernels/loops.h"
#include "autograd/kernels/vec.h"

namespace heed {

// A reduction: the value it starts with, and how two partial results are joined. If there is a NaN
// among the numbers, the result is NaN.
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
// are the loops over the reduced axes.
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

}  // namespace heed
