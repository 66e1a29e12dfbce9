// The softmax of a query whose keys arrive tile by tile (Milakov and Gimelshein 2018, algorithm 3),
// and its gradient from the logarithm of the sum (Dao et al. 2022, algorithms 1 and 4).
//
// Each query keeps the largest score so far and the sum of e^(score - largest). When a later tile
// has a larger score, everything summed before is multiplied by e^(old largest - new largest).
#pragma once

#include <algorithm>
#include <cmath>

#include "attention/fused/tiles.h"
#include "autograd/kernels/vec_math.h"

namespace heed::tiles {
inline namespace HEED_REGISTERS {

template <class T>
void multiply_row(T* row, int64_t n, T factor) {
    each_register<T>(n, [&](int64_t j, auto count) {
        put(take(row + j, count) * Vec<T>(factor), row + j, count);
    });
}

// The state of a query's softmax after some of its keys: the largest score, and Σ e^(s - largest).
template <class T>
struct Running {
    T largest = -infinity, sum = 0;
};

// Replaces scores s by e^(s - largest), with the largest score of these and all earlier keys.
// Returns the factor by which what was summed for earlier keys has to be multiplied.
template <class T>
T add_keys(T* s, int64_t count, Running<T>& running) {
    Vec<T> top(-infinity), sums(0.0);
    each_register<T>(count,
                     [&](int64_t j, auto n) { top = maximum(take<T>(s + j, n, -infinity), top); });
    const T before = running.largest;
    running.largest = std::max(before, largest(top));
    const T m = running.largest == -infinity ? 0 : running.largest;
    each_register<T>(count, [&](int64_t j, auto n) {
        const Vec<T> e = exp(take<T>(s + j, n, -infinity) - Vec<T>(m));
        put(e, s + j, n);
        sums += e;
    });
    const T shrink = std::exp(before - m);
    running.sum = running.sum * shrink + sum(sums);
    return shrink;
}

// Σ g y of each row: δ of the softmax's gradient.
template <class T>
const T* row_products(Matrix<const T> g, Matrix<const T> y, GrowingBuffer<T>& buffer) {
    T* products = buffer.reserve(g.rows);
    for (int64_t i = 0; i < g.rows; ++i) {
        Vec<T> sums(0.0);
        each_register<T>(g.columns, [&](int64_t j, auto n) {
            sums += take(g.data + i * g.row_stride + j, n) * take(y.data + i * y.row_stride + j, n);
        });
        products[i] = sum(sums);
    }
    return products;
}

// Replaces s by P and dp by scale dS.
template <class T>
void weights_and_gradients(T* s, T* dp, int64_t count, T log_sum, T delta, double scale) {
    each_register<T>(count, [&](int64_t j, auto n) {
        const Vec<T> p = exp(take(s + j, n) - Vec<T>(log_sum));
        const Vec<T> ds = p * (take(dp + j, n) - Vec<T>(delta)) * Vec<T>(scale);
        put(where(take(s + j, n) == Vec<T>(-infinity), Vec<T>(0.0), ds), dp + j, n);
        put(p, s + j, n);
    });
}

// The same in a row with a NaN or an infinity.
template <class T>
void bad_weights_and_gradients(T* s, T* dp, int64_t count, T log_sum, T delta, double scale) {
    for (int64_t j = 0; j < count; ++j) {
        s[j] = std::exp(s[j] - log_sum);
        dp[j] = s[j] * (dp[j] - delta) * static_cast<T>(scale);
    }
}

}  // namespace HEED_REGISTERS
}  // namespace heed::tiles
