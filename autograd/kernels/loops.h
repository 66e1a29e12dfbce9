// The loop of every elementwise operation: out[i] = f(a[i], b[i], ...) over operands with any strides,
// broadcast ones included (their stride is 0).
//
// Neighbouring axes that are contiguous with one another in every operand are merged first. The inner
// loop then takes a row of n elements by registers, and an index counts the rows. Operands whose row is
// contiguous are loaded, broadcast ones are splat, all others are copied into contiguous pieces first.
#pragma once

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

#include "autograd/base/parallel.h"
#include "autograd/base/shape.h"
#include "autograd/kernels/vec.h"

namespace heed {
inline namespace HEED_REGISTERS {

template <std::size_t operands>
struct LoopNest {
    int axes = 0;
    std::array<int64_t, max_axes> size{};
    std::array<std::array<int64_t, operands>, max_axes> stride{};  // per axis, per operand

    // The merged loops over `shape`, to which the operands broadcast, aligned at the last axis.
    LoopNest(const Shape& shape, const std::array<const Layout*, operands>& xs) {
        for (int i = 0; i < shape.count; ++i) {
            if (shape[i] == 1) continue;
            std::array<int64_t, operands> step;
            for (std::size_t k = 0; k < operands; ++k) {
                const int axis = i - (shape.count - xs[k]->shape.count);
                step[k] = axis < 0 || xs[k]->shape[axis] == 1 ? 0 : xs[k]->strides[axis];
            }
            bool merges = axes > 0;
            for (std::size_t k = 0; merges && k < operands; ++k)
                merges = stride[axes - 1][k] == step[k] * shape[i];
            if (merges) {
                size[axes - 1] *= shape[i];
                stride[axes - 1] = step;
            } else {
                size[axes] = shape[i];
                stride[axes++] = step;
            }
        }
        if (axes == 0) size[axes++] = 1;  // a single element
    }

    // row(offsets of the operands, first element of the output, length) for the pieces of rows that
    // make up elements [begin, end) of the output.
    template <class Row>
    void rows(int64_t begin, int64_t end, const Row& row) const {
        if (begin >= end) return;  // some size may be 0
        std::array<int64_t, max_axes> index{};
        std::array<int64_t, operands> offset{};
        int64_t rest = begin;
        for (int i = axes - 1; rest > 0; --i) {
            index[i] = rest % size[i];
            rest /= size[i];
            for (std::size_t k = 0; k < operands; ++k) offset[k] += index[i] * stride[i][k];
        }
        const int last = axes - 1;
        while (begin < end) {
            const int64_t length = std::min(size[last] - index[last], end - begin);
            row(offset, begin, length);
            begin += length;
            // To the start of the next row: subtract what was added, then count the index up.
            for (std::size_t k = 0; k < operands; ++k) offset[k] -= index[last] * stride[last][k];
            index[last] = 0;
            for (int i = last - 1; i >= 0; --i) {
                for (std::size_t k = 0; k < operands; ++k) offset[k] += stride[i][k];
                if (++index[i] < size[i]) break;
                for (std::size_t k = 0; k < operands; ++k) offset[k] -= size[i] * stride[i][k];
                index[i] = 0;
            }
        }
    }
};

namespace loops {

// n elements from p on, `stride` apart.
template <class T>
Vec<T> gather(const T* p, int64_t stride, int64_t n) {
    Vec<T> v(0.0);
    for (int64_t i = 0; i < n; ++i) v.r[i] = p[i * stride];
    return v;
}

template <class T, bool splat, class... Count>
Vec<T> load(const T* p, int64_t i, Count... count) {
    if constexpr (splat)
        return Vec<T>(*p);
    else
        return Vec<T>::load(p + i, count...);
}

// A row in which every operand is contiguous, but for the one numbered `constant`, which is the same
// everywhere.
template <class T, std::size_t constant, class F, std::size_t... k>
void vector_row(const F& f, T* out, const std::array<const T*, sizeof...(k)>& p, int64_t n,
                std::index_sequence<k...>) {
    constexpr int lanes = Vec<T>::lanes;
    int64_t i = 0;
    for (; i + lanes <= n; i += lanes) f(load<T, k == constant>(p[k], i)...).store(out + i);
    if (i < n) f(load<T, k == constant>(p[k], i, n - i)...).store(out + i, n - i);
}

// Whether there is a loop for rows in which operand k is a constant: either of two operands, but of three
// only the first (the gradient, when a sum is differentiated).
template <std::size_t operands>
constexpr bool may_be_constant(std::size_t k) {
    return operands == 2 || (operands == 3 && k == 0);
}

// The operand that is the same everywhere in a row with these strides; `operands` if each is contiguous;
// operands + 1 for all other rows.
template <std::size_t operands>
std::size_t constant_of(const std::array<int64_t, operands>& stride) {
    std::size_t constant = operands;
    for (std::size_t k = 0; k < operands; ++k) {
        if (stride[k] == 1) continue;
        if (stride[k] != 0 || !may_be_constant<operands>(k) || constant != operands)
            return operands + 1;
        constant = k;
    }
    return constant;
}

// A row of contiguous operands and at most one constant, by the loop that is compiled for it.
template <class T, class F, std::size_t operands>
void row(const F& f, T* out, const std::array<const T*, operands>& p, std::size_t constant,
         int64_t n) {
    constexpr auto all = std::make_index_sequence<operands>();
    if constexpr (may_be_constant<operands>(0))
        if (constant == 0) return vector_row<T, 0>(f, out, p, n, all);
    if constexpr (operands > 1 && may_be_constant<operands>(1))
        if (constant == 1) return vector_row<T, 1>(f, out, p, n, all);
    vector_row<T, operands>(f, out, p, n, all);
}

}  // namespace loops

// One row of an elementwise operation whose formula is behind `f`.
template <class T, std::size_t operands>
using RowFunction = void (*)(const void* f, T* out, const std::array<const T*, operands>& p,
                             std::size_t constant, int64_t n);

namespace loops {

// A row of any strides: a piece of each operand that is not contiguous is copied, then the pieces are
// taken as rows. No formula has to be compiled for it.
template <class T, std::size_t operands>
void copied_row(RowFunction<T, operands> row, const void* f, T* out,
                const std::array<const T*, operands>& p,
                const std::array<int64_t, operands>& stride, int64_t n) {
    constexpr int64_t piece = 64;
    T copies[operands][piece];
    for (int64_t i = 0; i < n; i += piece) {
        const int64_t count = std::min(piece, n - i);
        std::array<const T*, operands> from;
        for (std::size_t k = 0; k < operands; ++k) {
            const T* x = p[k] + i * stride[k];
            from[k] = stride[k] == 1 ? x : copies[k];
            if (stride[k] == 0) std::fill_n(copies[k], count, *x);
            if (stride[k] == 0 || stride[k] == 1) continue;
            for (int64_t j = 0; j < count; ++j) copies[k][j] = x[j * stride[k]];
        }
        row(f, out + i, from, operands, count);
    }
}

}  // namespace loops

// The loops around the rows. They are the same for all formulas, so they know it only as a row
// function and are compiled once for a number of operands.
template <class T, std::size_t operands>
void map_rows(T* out, const Shape& shape, RowFunction<T, operands> row, const void* f,
              const std::array<const T*, operands>& from,
              const std::array<const Layout*, operands>& layouts) {
    const int64_t count = shape.numel();
    // Few numbers, those of all operands in the order of the output: one row, with no loop around it. The
    // time of a small operation is in what surrounds its numbers.
    bool one_row = count <= parallel_grain;
    if (count > 1)  // a single number is the same in every layout
        for (const Layout* x : layouts) one_row = one_row && x->shape == shape && is_contiguous(*x);
    if (one_row) return row(f, out, from, operands, count);
    const LoopNest<operands> nest(shape, layouts);
    const auto& stride = nest.stride[nest.axes - 1];
    const std::size_t constant = loops::constant_of(stride);
    parallel_for(count, parallel_grain, [&](int64_t begin, int64_t end) {
        nest.rows(begin, end, [&](const auto& offset, int64_t first, int64_t n) {
            std::array<const T*, operands> p;
            for (std::size_t k = 0; k < operands; ++k) p[k] = from[k] + offset[k];
            if (constant <= operands)
                row(f, out + first, p, constant, n);
            else
                loops::copied_row<T, operands>(row, f, out + first, p, stride, n);
        });
    });
}

// out[i] = f(operands[0][i], operands[1][i], ...) for every element of `shape`, to which the operands
// broadcast; `out` is row-major. f takes and returns Vec<T>.
template <class T, class F, std::size_t operands>
void map_into(T* out, const Shape& shape, const F& f, const std::array<const T*, operands>& from,
              const std::array<const Layout*, operands>& layouts) {
    const RowFunction<T, operands> row = [](const void* formula, T* to, const auto& p,
                                            std::size_t constant, int64_t n) {
        loops::row<T>(*static_cast<const F*>(formula), to, p, constant, n);
    };
    map_rows<T, operands>(out, shape, row, &f, from, layouts);
}

// to[i] = combine(to[i], from[i]) for every element of `to`, which may be strided as well; `from`
// broadcasts to it.
template <class T, class Combine>
void combine_into(T* to, const Layout& to_layout, const T* from, const Layout& from_layout,
                  Combine combine) {
    const LoopNest<2> nest(to_layout.shape, {&to_layout, &from_layout});
    const auto& steps = nest.stride[nest.axes - 1];
    const int64_t step_to = steps[0], step_from = steps[1];
    parallel_for(to_layout.shape.numel(), parallel_grain, [&](int64_t begin, int64_t end) {
        nest.rows(begin, end, [&](const auto& offset, int64_t, int64_t n) {
            T* o = to + offset[0];
            const T* p = from + offset[1];
            if (step_to == 1 && step_from == 1)
                for (int64_t i = 0; i < n; ++i) o[i] = combine(o[i], p[i]);
            else
                for (int64_t i = 0; i < n; ++i)
                    o[i * step_to] = combine(o[i * step_to], p[i * step_from]);
        });
    });
}

}  // namespace HEED_REGISTERS
}  // namespace heed
