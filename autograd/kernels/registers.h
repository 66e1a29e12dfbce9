// One row of numbers, taken register by register: what the kernels of softmax, layer normalisation,
// cross-entropy and attention are written with.
#pragma once

#include <cstdint>
#include <type_traits>

#include "autograd/kernels/vec.h"

namespace heed {
inline namespace HEED_REGISTERS {

// f(i, count) for the registers of a row of n numbers: numbers i to i + count. For all but the last,
// count is a constant of the type below, so that take() and put() need no branch. It is always
// inlined, because a sum that f adds to would go through memory in every step otherwise.
template <class T>
using AllLanes = std::integral_constant<int64_t, Vec<T>::lanes>;

template <class T, class F>
[[gnu::always_inline]] inline void each_register(int64_t n, const F& f) {
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

}  // namespace HEED_REGISTERS
}  // namespace heed
