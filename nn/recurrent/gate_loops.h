// The loops that run the formulas of gates.h over the rows of a batch, a register of hidden units
// at a time. Everything a step reads and writes passes through the processor once.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "autograd/kernels/vec.h"
#include "nn/recurrent/gates.h"
#include "nn/recurrent/recurrent_step.h"

namespace heed {

// f(TanhGates{}), f(ReluGates{}), ...
template <class F>
decltype(auto) with_gates(CellKind kind, F&& f) {
    switch (kind) {
        case CellKind::rnn_tanh:
            return f(TanhGates{});
        case CellKind::rnn_relu:
            return f(ReluGates{});
        case CellKind::gru:
            return f(GruGates{});
        default:
            return f(LstmGates{});
    }
}

// A matrix whose rows are contiguous; may be absent.
template <class T>
struct MatrixRows {
    T* data = nullptr;
    int64_t stride = 0;
    T* operator[](int64_t row) const { return data + row * stride; }
};

namespace gate_loops {

// `count` registers of at most n lanes, `apart` numbers from one to the next.
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
void store(const std::array<Vec<T>, count>& v, const std::array<MatrixRows<T>, count>& rows, int64_t row,
           int64_t unit, int64_t n) {
    for (std::size_t k = 0; k < count; ++k) store(std::array{v[k]}, rows[k][row] + unit, 0, n);
}

}  // namespace gate_loops

// What one step reads and writes: x and h [B, gates H], the states before and after, each [B, H],
// and what backward will need, [B, saved H] (absent when there will be no backward).
template <class Gates, class T>
struct StepForward {
    MatrixRows<const T> x, h;
    std::array<MatrixRows<const T>, Gates::states> state;
    std::array<MatrixRows<T>, Gates::states> next;
    MatrixRows<T> saved;
};

template <class Gates, class T>
void forward_rows(const StepForward<Gates, T>& step, int64_t begin, int64_t end, int64_t hidden,
                  const ActiveRows& active) {
    using namespace gate_loops;
    for (int64_t row = begin; row < end; ++row) {
        if (!active(row)) {
            for (int k = 0; k < Gates::states; ++k)
                std::copy_n(step.state[k][row], hidden, step.next[k][row]);
            continue;
        }
        for (int64_t j = 0; j < hidden; j += Vec<T>::lanes) {
            const int64_t n = std::min<int64_t>(Vec<T>::lanes, hidden - j);
            std::array<Vec<T>, Gates::saved> saved;
            const auto next = Gates::forward(load<Gates::gates>(step.x[row] + j, hidden, n),
                                             load<Gates::gates>(step.h[row] + j, hidden, n),
                                             load(step.state, row, j, n), saved);
            store(next, step.next, row, j, n);
            if (step.saved.data) store(saved, step.saved[row] + j, hidden, n);
        }
    }
}

// The gradient with respect to the states after a step is g + more (more may be absent). dstate may
// be the same memory as g. dh may be absent where it is the same as dx.
template <class Gates, class T>
struct StepBackward {
    std::array<MatrixRows<const T>, Gates::states> g, more, state, next;
    MatrixRows<const T> saved;
    MatrixRows<T> dx, dh;
    std::array<MatrixRows<T>, Gates::states> dstate;
};

template <class Gates, class T>
void backward_rows(const StepBackward<Gates, T>& step, int64_t begin, int64_t end, int64_t hidden,
                   const ActiveRows& active) {
    using namespace gate_loops;
    for (int64_t row = begin; row < end; ++row) {
        const bool runs = active(row);
        if (!runs) {
            std::fill_n(step.dx[row], Gates::gates * hidden, T(0));
            if (step.dh.data) std::fill_n(step.dh[row], Gates::gates * hidden, T(0));
        }
        for (int64_t j = 0; j < hidden; j += Vec<T>::lanes) {
            const int64_t n = std::min<int64_t>(Vec<T>::lanes, hidden - j);
            auto g = load(step.g, row, j, n);
            if (step.more[0].data) {
                const auto more = load(step.more, row, j, n);
                for (int k = 0; k < Gates::states; ++k) g[k] += more[k];
            }
            if (!runs) {
                store(g, step.dstate, row, j, n);
                continue;
            }
            const auto d =
                Gates::backward(g, load(step.state, row, j, n), load(step.next, row, j, n),
                                load<Gates::saved>(step.saved[row] + j, hidden, n));
            store(d.x, step.dx[row] + j, hidden, n);
            if (step.dh.data) store(d.h, step.dh[row] + j, hidden, n);
            store(d.state, step.dstate, row, j, n);
        }
    }
}

}  // namespace heed
