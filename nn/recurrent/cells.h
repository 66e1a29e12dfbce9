// The formulas of the recurrent cells. A cell reads one input per step and keeps a hidden state.
// Each step begins with two matrix products, the same for all cells,
//
//     x = W_ih input + b_ih        h = W_hh hidden + b_hh
//
// and then combines x and h element by element. That second half is what stands here: `forward` is
// the formula, `backward` its hand-written gradient. The rows of the weights are grouped into
// gates, in PyTorch's order, so x[0] is the first gate's share of x, x[1] the second's, and so on.
//
// The formulas are generic, like those of autograd/ops/elementwise.h. With T a vector register,
// `forward` and `backward` are what the fused kernel computes. With T = Tensor, `forward` is the
// plain definition, which the tests compare the kernel with and which second derivatives go
// through.
#pragma once

#include <array>
#include <cstdint>

#include "autograd/kernels/vec_math.h"
#include "autograd/ops/unary.h"

namespace heed {

// Elman's network with tanh or with relu, the gated recurrent unit, long short-term memory.
enum class CellKind : uint8_t { rnn_tanh, rnn_relu, gru, lstm };

namespace recurrence {

// The gradients of one step with respect to x, h and the states before the step. The states also
// act through h; that share of their gradient is a matrix product and is added elsewhere.
template <class T, int gates, int states>
struct StepGradient {
    std::array<T, gates> x, h;
    std::array<T, states> state;
};

namespace cell_formulas {
template <class T>
Vec<T> rectified(Vec<T> x) {
    return maximum(Vec<T>(0), x);  // NaN stays NaN
}
inline Tensor rectified(const Tensor& x) { return relu(x); }
}  // namespace cell_formulas

// Elman's cell (Elman 1990):
//
//     h' = tanh(x + h)                         dL/dx = dL/dh = g (1 - h'²)
struct RnnTanhCell {
    static constexpr auto name = "rnn_tanh_step";
    static constexpr int gates = 1, states = 1, saved = 0;

    template <class T>
    static std::array<T, 1> forward(const std::array<T, 1>& x, const std::array<T, 1>& h,
                                    const std::array<T, 1>&, std::array<T, 0>&) {
        return {tanh(x[0] + h[0])};
    }
    template <class T>
    static StepGradient<T, 1, 1> backward(const std::array<T, 1>& g, const std::array<T, 1>&,
                                          const std::array<T, 1>& next, const std::array<T, 0>&) {
        const T d = g[0] * (1 - next[0] * next[0]);
        return {{d}, {d}, {T(0)}};
    }
};

// The same with relu (Le, Jaitly and Hinton 2015, who initialise W_hh with the identity):
//
//     h' = max(x + h, 0)                       dL/dx = dL/dh = 0 where h' <= 0, else g
struct RnnReluCell {
    static constexpr auto name = "rnn_relu_step";
    static constexpr int gates = 1, states = 1, saved = 0;

    template <class T>
    static std::array<T, 1> forward(const std::array<T, 1>& x, const std::array<T, 1>& h,
                                    const std::array<T, 1>&, std::array<T, 0>&) {
        return {cell_formulas::rectified(x[0] + h[0])};
    }
    template <class T>
    static StepGradient<T, 1, 1> backward(const std::array<T, 1>& g, const std::array<T, 1>&,
                                          const std::array<T, 1>& next, const std::array<T, 0>&) {
        const T d = where(next[0] <= T(0), T(0), g[0]);
        return {{d}, {d}, {T(0)}};
    }
};

// The gated recurrent unit (Cho et al. 2014, section 2.3), in PyTorch's variant, where the reset
// gate r acts after the matrix product. The update gate z mixes the old state with the candidate n:
//
//     r = σ(x_r + h_r)        z = σ(x_z + h_z)        n = tanh(x_n + r h_n)
//     h' = (1 - z) n + z hidden
struct GruCell {
    static constexpr auto name = "gru_step";
    static constexpr int gates = 3, states = 1, saved = 4;  // gates: r, z, n; saved: r, z, n, h_n

    template <class T>
    static std::array<T, 1> forward(const std::array<T, 3>& x, const std::array<T, 3>& h,
                                    const std::array<T, 1>& state, std::array<T, 4>& save) {
        const T r = sigmoid(x[0] + h[0]);
        const T z = sigmoid(x[1] + h[1]);
        const T n = tanh(x[2] + r * h[2]);
        save = {r, z, n, h[2]};
        return {(1 - z) * n + z * state[0]};
    }
    template <class T>
    static StepGradient<T, 3, 1> backward(const std::array<T, 1>& g, const std::array<T, 1>& state,
                                          const std::array<T, 1>&, const std::array<T, 4>& save) {
        const auto& [r, z, n, h_n] = save;
        const T dn = g[0] * (1 - z) * (1 - n * n);         // with respect to x_n + r h_n
        const T dz = g[0] * (state[0] - n) * z * (1 - z);  // with respect to x_z + h_z
        const T dr = dn * h_n * r * (1 - r);               // with respect to x_r + h_r
        return {{dr, dz, dn}, {dr, dz, dn * r}, {g[0] * z}};
    }
};

// Long short-term memory (Hochreiter and Schmidhuber 1997; forget gate: Gers et al. 2000). The
// second state is the cell c, which the input gate i and the forget gate f update; the output gate
// o selects what the hidden state shows of it:
//
//     i = σ(x_i + h_i)        f = σ(x_f + h_f)        g = tanh(x_g + h_g)        o = σ(x_o + h_o)
//     c' = f c + i g          h' = o tanh c'
struct LstmCell {
    static constexpr auto name = "lstm_step";
    static constexpr int gates = 4, states = 2, saved = 4;  // gates, and saved: i, f, g, o

    template <class T>
    static std::array<T, 2> forward(const std::array<T, 4>& x, const std::array<T, 4>& h,
                                    const std::array<T, 2>& state, std::array<T, 4>& save) {
        const T i = sigmoid(x[0] + h[0]);
        const T f = sigmoid(x[1] + h[1]);
        const T g = tanh(x[2] + h[2]);
        const T o = sigmoid(x[3] + h[3]);
        const T c = f * state[1] + i * g;
        save = {i, f, g, o};
        return {o * tanh(c), c};
    }
    template <class T>
    static StepGradient<T, 4, 2> backward(const std::array<T, 2>& gradient,
                                          const std::array<T, 2>& state,
                                          const std::array<T, 2>& next,
                                          const std::array<T, 4>& save) {
        const auto& [i, f, g, o] = save;
        const T t = tanh(next[1]);
        const T dc = gradient[1] + gradient[0] * o * (1 - t * t);
        const T di = dc * g * i * (1 - i);
        const T df = dc * state[1] * f * (1 - f);
        const T dg = dc * i * (1 - g * g);
        const T d_o = gradient[0] * t * o * (1 - o);
        return {{di, df, dg, d_o}, {di, df, dg, d_o}, {T(0), dc * f}};
    }
};

// f(GruCell{}) for CellKind::gru, and so on.
template <class F>
decltype(auto) with_cell(CellKind kind, F&& f) {
    switch (kind) {
        case CellKind::rnn_tanh:
            return f(RnnTanhCell{});
        case CellKind::rnn_relu:
            return f(RnnReluCell{});
        case CellKind::gru:
            return f(GruCell{});
        default:
            return f(LstmCell{});
    }
}

}  // namespace recurrence
}  // namespace heed
