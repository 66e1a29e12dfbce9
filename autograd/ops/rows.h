// The rows of a tensor along its last axis, as the fused kernels walk them: where each row begins,
// a row taken register by register, and the threads over all rows.
#pragma once

#include "autograd/kernels/loops.h"

namespace heed {

// x itself where the numbers of each row lie side by side, else a copy of which this is true.
inline Tensor side_by_side(const Tensor& x) {
    return x.dim() == 0 || x.shape().back() == 1 || x.strides().back() == 1 ? x : clone(x);
}

// Where the rows of x begin, once x is broadcast to `shape`. Copies nothing.
template <class T>
class Rows {
  public:
    Rows(const Tensor& x, const Shape& shape)
        : source_(x), step_(step_of(x)), nest_(nest_of(x, shape)) {}
    explicit Rows(const Tensor& x) : Rows(side_by_side(x), x.shape()) {}

    const T* operator[](int64_t row) const {
        int64_t offset = 0;
        int axis = nest_.axes - 1;
        for (; axis > 0; --axis, row /= nest_.size[axis + 1])
            offset += row % nest_.size[axis] * nest_.stride[axis][0];
        return source_.template data<T>() + offset + row * nest_.stride[0][0];
    }
    int64_t step() const { return step_; }  // from one number of a row to the next

  private:
    static int64_t step_of(const Tensor& x) {
        return x.dim() == 0 || x.shape().back() == 1 ? 0 : x.strides().back();
    }
    // The loops over all axes but the last.
    static LoopNest<1> nest_of(const Tensor& x, Shape shape) {
        Shape own = x.shape();
        Strides strides = x.strides();
        if (own.count > 0) strides.count = --own.count;
        --shape.count;
        const Tensor heads = view_of(x, own, strides);
        return LoopNest<1>(shape, {&heads});
    }

    Tensor source_;
    int64_t step_;
    LoopNest<1> nest_;
};

// How many rows of n numbers are worth a thread's while.
inline int64_t rows_per_chunk(int64_t n) {
    return std::max<int64_t>(1, parallel_grain / 2 / std::max<int64_t>(n, 1));
}

// f(row) for every row of a tensor of this shape, on all threads.
template <class F>
void for_each_row(const Shape& shape, const F& f) {
    const int64_t n = shape.back(), rows = n == 0 ? 0 : shape.numel() / n;
    parallel_for(rows, rows_per_chunk(n), [&](int64_t begin, int64_t end) {
        for (int64_t row = begin; row < end; ++row) f(row);
    });
}

// f(i, count) for the registers of a row of n: numbers i to i + count. In all but the last, count
// is a constant of the type below, so that take() and put() need not ask.
template <class T>
using AllLanes = std::integral_constant<int64_t, Vec<T>::lanes>;

template <class T, class F>
void each_register(int64_t n, const F& f) {
    int64_t i = 0;
    for (; i + Vec<T>::lanes <= n; i += Vec<T>::lanes) f(i, AllLanes<T>());
    if (i < n) f(i, n - i);
}

// The first lanes of v, and `fill` in the others.
template <class T>
Vec<T> first_lanes(Vec<T> v, AllLanes<T>, T) {
    return v;
}
template <class T>
Vec<T> first_lanes(Vec<T> v, int64_t count, T fill) {
    Vec<T> lane;  // 0, 1, 2, ...: a constant, once compiled
    for (int i = 0; i < Vec<T>::lanes; ++i) lane.r[i] = static_cast<T>(i);
    return where(lane < Vec<T>(static_cast<double>(count)), v, Vec<T>(fill));
}

// `count` numbers from p on, and `fill` in the other lanes.
template <class T>
Vec<T> take(const T* p, AllLanes<T>, T = 0) {
    return Vec<T>::load(p);
}
template <class T>
Vec<T> take(const T* p, int64_t count, T fill = 0) {
    return first_lanes(Vec<T>::load(p, count), count, fill);
}

template <class T>
void put(Vec<T> v, T* p, AllLanes<T>) {
    v.store(p);
}
template <class T>
void put(Vec<T> v, T* p, int64_t count) {
    v.store(p, count);
}

}  // namespace heed
