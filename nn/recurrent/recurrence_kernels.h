// The loops behind recurrence.h: what makes a step and a sequence fast.
//
// One step. The formulas of cells.h run over the rows of the batch, a vector register of hidden
// units at a time, so everything a step reads and writes passes through the processor once.
//
// A sequence. At each step the cell multiplies a thin matrix [B, H] by the same weights, [H, gates
// H]. The time this takes is bound by how fast the weights are read from cache, and by everything
// around the product. So the weights are transposed once, and no product copies them again; rows of
// the batch do not interact, so each thread takes some rows through all of time and never waits for
// another; and the gradient of the weights, a sum over steps, is one large product at the end
// (recurrence.cpp).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "autograd/base/parallel.h"
#include "autograd/kernels/gemm.h"
#include "autograd/kernels/vec.h"
#include "autograd/ops/elementwise/copies.h"
#include "autograd/ops/shape/shape_ops.h"
#include "nn/recurrent/recurrence.h"

namespace heed::recurrence {
inline namespace HEED_REGISTERS {

// A matrix whose rows are contiguous; its data may be null.
template <class T>
struct MatrixRows {
    T* data = nullptr;
    int64_t stride = 0;
    T* operator[](int64_t row) const { return data + row * stride; }
};

// --- loading and storing -------------------------------------------------------------------------

// `count` registers, of which the first n lanes are used; `apart` numbers from one to the next.
template <int count, class T>
std::array<Vec<T>, count> load(const T* p, int64_t apart, int64_t n) {
    std::array<Vec<T>, count> v;
    for (int k = 0; k < count; ++k)
        v[k] = n == Vec<T>::lanes ? Vec<T>::load(p + k * apart) : Vec<T>::load(p + k * apart, n);
    return v;
}
template <class T, std::size_t count>
void store(const std::array<Vec<T>, count>& v, T* p, int64_t apart, int64_t n) {
    for (std::size_t k = 0; k < count; ++k)
        if (n == Vec<T>::lanes)
            v[k].store(p + k * apart);
        else
            v[k].store(p + k * apart, n);
}
template <class T, std::size_t count>
std::array<Vec<T>, count> load(const std::array<MatrixRows<const T>, count>& rows, int64_t row,
                               int64_t unit, int64_t n) {
    std::array<Vec<T>, count> v;
    for (std::size_t k = 0; k < count; ++k) v[k] = load<1>(rows[k][row] + unit, 0, n)[0];
    return v;
}
template <class T, std::size_t count>
void store(const std::array<Vec<T>, count>& v, const std::array<MatrixRows<T>, count>& rows,
           int64_t row, int64_t unit, int64_t n) {
    for (std::size_t k = 0; k < count; ++k) store(std::array{v[k]}, rows[k][row] + unit, 0, n);
}

// --- one step over the rows [begin, end) ---------------------------------------------------------

// What one step reads and writes: x and h [B, gates H], the states before and after, each [B, H],
// and what backward will need, [B, saved H] (null when nothing is recorded).
template <class Cell, class T>
struct StepForward {
    MatrixRows<const T> x, h;
    std::array<MatrixRows<const T>, Cell::states> state;
    std::array<MatrixRows<T>, Cell::states> next;
    MatrixRows<T> saved;
};

template <class Cell, class T>
void forward_rows(const StepForward<Cell, T>& step, int64_t begin, int64_t end, int64_t hidden,
                  const ActiveRows& active) {
    for (int64_t row = begin; row < end; ++row) {
        if (!active(row)) {
            for (int k = 0; k < Cell::states; ++k)
                std::copy_n(step.state[k][row], hidden, step.next[k][row]);
            continue;
        }
        for (int64_t j = 0; j < hidden; j += Vec<T>::lanes) {
            const int64_t n = std::min<int64_t>(Vec<T>::lanes, hidden - j);
            const auto [next, saved] = Cell::forward(load<Cell::gates>(step.x[row] + j, hidden, n),
                                                     load<Cell::gates>(step.h[row] + j, hidden, n),
                                                     load(step.state, row, j, n));
            store(next, step.next, row, j, n);
            if (step.saved.data) store(saved, step.saved[row] + j, hidden, n);
        }
    }
}

// The gradient with respect to the states after the step is g + more (more may be null). dstate may
// be the same memory as g.
template <class Cell, class T>
struct StepBackward {
    std::array<MatrixRows<const T>, Cell::states> g, more, state, next;
    MatrixRows<const T> saved;
    MatrixRows<T> dx, dh;
    std::array<MatrixRows<T>, Cell::states> dstate;
};

template <class Cell, class T>
void backward_rows(const StepBackward<Cell, T>& step, int64_t begin, int64_t end, int64_t hidden,
                   const ActiveRows& active) {
    for (int64_t row = begin; row < end; ++row) {
        const bool runs = active(row);
        if (!runs) {
            std::fill_n(step.dx[row], Cell::gates * hidden, T(0));
            std::fill_n(step.dh[row], Cell::gates * hidden, T(0));
        }
        for (int64_t j = 0; j < hidden; j += Vec<T>::lanes) {
            const int64_t n = std::min<int64_t>(Vec<T>::lanes, hidden - j);
            auto g = load(step.g, row, j, n);
            if (step.more[0].data) {
                const auto more = load(step.more, row, j, n);
                for (int k = 0; k < Cell::states; ++k) g[k] += more[k];
            }
            if (!runs) {
                store(g, step.dstate, row, j, n);
                continue;
            }
            const auto d =
                Cell::backward(g, load(step.state, row, j, n), load(step.next, row, j, n),
                               load<Cell::saved>(step.saved[row] + j, hidden, n));
            store(d.x, step.dx[row] + j, hidden, n);
            store(d.h, step.dh[row] + j, hidden, n);
            store(d.state, step.dstate, row, j, n);
        }
    }
}

// How many rows of a step make one chunk for a thread: a gate costs about as much as forty
// elementary steps.
inline int64_t rows_per_chunk(int64_t hidden) { return parallel_grain / (40 * hidden + 1) + 1; }

// --- a sequence ----------------------------------------------------------------------------------

// The order of time, forward or in reverse: iteration i of the loop is step(i), which goes from
// state before(t) to state after(t).
struct Timeline {
    int64_t length = 0;
    bool reverse = false;
    int64_t step(int64_t i) const { return reverse ? length - 1 - i : i; }
    int64_t before(int64_t t) const { return reverse ? t + 1 : t; }
    int64_t after(int64_t t) const { return reverse ? t : t + 1; }
    int64_t first() const { return reverse ? length : 0; }  // the initial state
    int64_t last() const { return reverse ? 0 : length; }   // the final one
};

// A run of the cell over all steps. Everything but x lies in memory by time, [T, B, ...], so that
// what a step reads is one block, and all steps together are one matrix.
template <class Cell>
struct Sequence {
    static constexpr int gates = Cell::gates, states = Cell::states;
    int64_t batch = 0, hidden = 0;
    Timeline time;
    std::optional<Indices> lengths;

    // Sixteen rows fill the registers of the matrix kernel; with fewer the weights would be read
    // more often. Small problems stay in one chunk.
    int64_t rows_per_thread() const {
        const int64_t cost = time.length * gates * hidden * (hidden + 40) + 1;  // of a row
        return std::max<int64_t>(16, 8 * parallel_grain / cost);
    }
    ActiveRows active(int64_t t) const { return {lengths, t}; }

    // State k with the given index in all states, [states, T + 1, B, H].
    template <class T>
    T* state(T* all, int k, int64_t index) const {
        return all + (k * (time.length + 1) + index) * batch * hidden;
    }
    // The rows of x, or of its gradient, that step t reads: x is [B, T, gates H].
    template <class T>
    static MatrixRows<T> x_rows(T* x, const Strides& strides, int64_t t) {
        return {x + t * strides[1], strides[0]};
    }

    // Computes all states, and in `saved`, [T, B, saved H] or empty, what backward needs.
    template <class T>
    void forward(const Tensor& x, const std::array<Tensor, states>& initial, const Tensor& weight,
                 const Tensor& bias, Tensor& all, Tensor& saved) const;
    // g is the gradient with respect to all states; dx is [B, T, gates H], dh [T, B, gates H].
    template <class T>
    void backward(const Tensor& g, const Tensor& all, const Tensor& saved, const Tensor& weight,
                  Tensor& dx, Tensor& dh, std::array<Tensor, states>& dinitial) const;

  private:
    // The states also act through h = W_hh hidden + b_hh: dL/dhidden += dL/dh W_hh, for the rows
    // that take part in step t. In the others dL/dh is 0, and 0 times an infinite weight is NaN.
    template <class T>
    void add_through_h(const T* dh, const T* weight, T* dhidden, int64_t t, int64_t begin,
                       int64_t end) const {
        const int64_t H = hidden, G = gates * hidden;
        const ActiveRows runs = active(t);
        for (int64_t first = begin, last; first < end; first = last + 1) {
            for (last = first; last < end && runs(last);) ++last;
            if (last == first) continue;
            gemm<T>({dh + (t * batch + first) * G, last - first, G, G, 1}, {weight, G, H, H, 1},
                    {dhidden + first * H, last - first, H, H, 1}, true);
        }
    }
};

template <class Cell>
template <class T>
void Sequence<Cell>::forward(const Tensor& x, const std::array<Tensor, states>& initial,
                             const Tensor& weight, const Tensor& bias, Tensor& all,
                             Tensor& saved) const {
    const int64_t H = hidden, G = gates * hidden, S = Cell::saved * hidden;
    const Tensor w = contiguous(transpose(weight));  // [H, gates H]
    Tensor product = empty({batch, G}, x.dtype());   // W_hh hidden + b_hh of the current step
    T* const states_data = all.edit<T>();
    T* const product_data = product.edit<T>();
    T* const saved_data = saved.numel() > 0 ? saved.edit<T>() : nullptr;
    const T* const bias_data = bias.defined() ? bias.data<T>() : nullptr;

    parallel_for(batch, rows_per_thread(), [&](int64_t begin, int64_t end) {
        for (int k = 0; k < states; ++k)
            std::copy_n(initial[k].template data<T>() + begin * H, (end - begin) * H,
                        state(states_data, k, time.first()) + begin * H);
        for (int64_t i = 0; i < time.length; ++i) {
            const int64_t t = time.step(i);
            const T* h = state(states_data, 0, time.before(t));
            gemm<T>({h + begin * H, end - begin, H, H, 1}, {w.data<T>(), H, G, G, 1},
                    {product_data + begin * G, end - begin, G, G, 1}, false, bias_data);
            StepForward<Cell, T> step{
                x_rows(x.data<T>(), x.strides(), t), {product_data, G}, {}, {}, {}};
            for (int k = 0; k < states; ++k) {
                step.state[k] = {state(states_data, k, time.before(t)), H};
                step.next[k] = {state(states_data, k, time.after(t)), H};
            }
            if (saved_data) step.saved = {saved_data + t * batch * S, S};
            forward_rows(step, begin, end, H, active(t));
        }
    });
}

// Going back through time, dinitial holds the gradient with respect to the state that the loop has
// reached.
template <class Cell>
template <class T>
void Sequence<Cell>::backward(const Tensor& g, const Tensor& all, const Tensor& saved,
                              const Tensor& weight, Tensor& dx, Tensor& dh,
                              std::array<Tensor, states>& dinitial) const {
    const int64_t H = hidden, G = gates * hidden, S = Cell::saved * hidden;
    const T* const g_data = g.data<T>();
    const T* const states_data = all.data<T>();
    const T* const saved_data = saved.data<T>();
    T* const dx_data = dx.edit<T>();
    T* const dh_data = dh.edit<T>();
    std::array<T*, states> running;
    for (int k = 0; k < states; ++k) running[k] = dinitial[k].template edit<T>();

    parallel_for(batch, rows_per_thread(), [&](int64_t begin, int64_t end) {
        for (int k = 0; k < states; ++k)
            std::fill_n(running[k] + begin * H, (end - begin) * H, T(0));
        for (int64_t i = time.length - 1; i >= 0; --i) {
            const int64_t t = time.step(i);
            StepBackward<Cell, T> step{};
            for (int k = 0; k < states; ++k) {
                step.g[k] = {running[k], H};
                step.more[k] = {state(g_data, k, time.after(t)), H};
                step.state[k] = {state(states_data, k, time.before(t)), H};
                step.next[k] = {state(states_data, k, time.after(t)), H};
                step.dstate[k] = {running[k], H};
            }
            step.saved = {saved_data + t * batch * S, S};
            step.dx = x_rows(dx_data, dx.strides(), t);
            step.dh = {dh_data + t * batch * G, G};
            backward_rows(step, begin, end, H, active(t));
            add_through_h(dh_data, weight.data<T>(), running[0], t, begin, end);
        }
        for (int k = 0; k < states; ++k) {
            const T* from = state(g_data, k, time.first());
            for (int64_t j = begin * H; j < end * H; ++j) running[k][j] += from[j];
        }
    });
}

}  // namespace HEED_REGISTERS
}  // namespace heed::recurrence
