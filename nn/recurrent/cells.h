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
//
// The step saves the arguments of σ and tanh for backward, not their values. A gate that is nearly
// 1 is rounded to 1, so 1 - z computed from its value would be 0, and with it the gradient.
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

// 1 - tanh² x, which keeps its digits where tanh x is nearly 1
template <class T>
T tanh_slope(T x) {
    return 4 * sigmoid_slope(2 * x);
}
}  // namespace cell_formulas

// Elman's cell (Elman 1990):
//
//     h' = tanh(x + h)                         dL/dx = dL/dh = g (1 - h'²)
struct RnnTanhCell {
    static constexpr auto name = "rnn_tanh_step";
    static constexpr int gates = 1, states = 1, saved = 1;  // saved: x + h

    template <class T>
    static std::array<T, 1> forward(const std::array<T, 1>& x, const std::array<T, 1>& h,
                                    const std::array<T, 1>&, std::array<T, 1>& save) {
        save = {x[0] + h[0]};
        return {tanh(save[0])};
    }
    template <class T>
    static StepGradient<T, 1, 1> backward(const std::array<T, 1>& g, const std::array<T, 1>&,
                                          const std::array<T, 1>&, const std::array<T, 1>& save) {
        const T d = g[0] * cell_formulas::tanh_slope(save[0]);
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
    static constexpr int gates = 3, states = 1, saved = 4;  // saved: the arguments, and h_n

    template <class T>
    static std::array<T, 1> forward(const std::array<T, 3>& x, const std::array<T, 3>& h,
                                    const std::array<T, 1>& state, std::array<T, 4>& save) {
        const T to_r = x[0] + h[0], to_z = x[1] + h[1];
        const T to_n = x[2] + sigmoid(to_r) * h[2];
        save = {to_r, to_z, to_n, h[2]};
        const T z = sigmoid(to_z);
        return {(1 - z) * tanh(to_n) + z * state[0]};
    }
    template <class T>
    static StepGradient<T, 3, 1> backward(const std::array<T, 1>& g, const std::array<T, 1>& state,
                                          const std::array<T, 1>&, const std::array<T, 4>& save) {
        const auto& [to_r, to_z, to_n, h_n] = save;
        const auto [r, not_r] = sigmoid_both(to_r);  // σ(x) and 1 - σ(x)
        const auto [z, not_z] = sigmoid_both(to_z);
        const T dn = g[0] * not_z * cell_formulas::tanh_slope(to_n);
        const T dz = g[0] * (state[0] - tanh(to_n)) * z * not_z;
        const T dr = dn * h_n * r * not_r;
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
    static constexpr int gates = 4, states = 2, saved = 4;  // saved: the arguments of i, f, g, o

    template <class T>
    static std::array<T, 2> forward(const std::array<T, 4>& x, const std::array<T, 4>& h,
                                    const std::array<T, 2>& state, std::array<T, 4>& save) {
        save = {x[0] + h[0], x[1] + h[1], x[2] + h[2], x[3] + h[3]};
        const T i = sigmoid(save[0]), f = sigmoid(save[1]), g = tanh(save[2]), o = sigmoid(save[3]);
        const T c = f * state[1] + i * g;
        return {o * tanh(c), c};
    }
    template <class T>
    static StepGradient<T, 4, 2> backward(const std::array<T, 2>& gradient,
                                          const std::array<T, 2>& state,
                                          const std::array<T, 2>& next,
                                          const std::array<T, 4>& save) {
        using cell_formulas::tanh_slope;
        const auto [i, not_i] = sigmoid_both(save[0]);
        const auto [f, not_f] = sigmoid_both(save[1]);
        const auto [o, not_o] = sigmoid_both(save[3]);
        const T dc = gradient[1] + gradient[0] * o * tanh_slope(next[1]);
        const T di = dc * tanh(save[2]) * i * not_i;
        const T df = dc * state[1] * f * not_f;
        const T dg = dc * i * tanh_slope(save[2]);
        const T d_o = gradient[0] * tanh(next[1]) * o * not_o;
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
