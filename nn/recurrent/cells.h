// The formulas of the recurrent cells. A cell reads one input per step and keeps a hidden state.
// Each step begins with two matrix products, the same for all cells,
//
//     x = W_ih input + b_ih        h = W_hh hidden + b_hh
//
// and then combines x and h element by element. That second half is what stands here: `forward` is
// the formula, `backward` its hand-written gradient. The rows of the weights are grouped into
// gates, in PyTorch's order: x_i is the share of gate i in x, h_i its share in h.
//
// The formulas are generic, like those of autograd/ops/elementwise/elementwise.h. With T a vector register,
// `forward` and `backward` are what the fused kernel computes. With T = Tensor, `forward` is the
// plain definition, which the tests compare the kernel with and which second derivatives go
// through.
//
// A step saves the arguments of σ and tanh for backward, not their values. A gate that is nearly
// 1 is rounded to 1, so 1 - z computed from its value would be 0, and with it the gradient.
#pragma once

#include <array>
#include <cstdint>

#include "autograd/kernels/vec_math.h"
#include "autograd/ops/elementwise/unary.h"

namespace heed {

// Elman's network with tanh or with relu, the gated recurrent unit, long short-term memory.
enum class CellKind : uint8_t { rnn_tanh, rnn_relu, gru, lstm };

namespace recurrence {

// The states after one step, and what its backward needs.
template <class T, int states, int numbers>
struct CellStep {
    std::array<T, states> next;
    std::array<T, numbers> saved;
};

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
    static CellStep<T, 1, 1> forward(const std::array<T, 1>& x, const std::array<T, 1>& h,
                                     const std::array<T, 1>&) {
        const T sum = x[0] + h[0];
        return {{tanh(sum)}, {sum}};
    }
    template <class T>
    static StepGradient<T, 1, 1> backward(const std::array<T, 1>& g, const std::array<T, 1>&,
                                          const std::array<T, 1>&, const std::array<T, 1>& kept) {
        const T d = g[0] * cell_formulas::tanh_slope(kept[0]);
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
    static CellStep<T, 1, 0> forward(const std::array<T, 1>& x, const std::array<T, 1>& h,
                                     const std::array<T, 1>&) {
        return {{cell_formulas::rectified(x[0] + h[0])}, {}};
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
    static CellStep<T, 1, 4> forward(const std::array<T, 3>& x, const std::array<T, 3>& h,
                                     const std::array<T, 1>& state) {
        const auto& [x_r, x_z, x_n] = x;
        const auto& [h_r, h_z, h_n] = h;
        const auto& [hidden] = state;
        const T to_r = x_r + h_r, to_z = x_z + h_z, to_n = x_n + sigmoid(to_r) * h_n;
        const T z = sigmoid(to_z);
        return {{(1 - z) * tanh(to_n) + z * hidden}, {to_r, to_z, to_n, h_n}};
    }
    template <class T>
    static StepGradient<T, 3, 1> backward(const std::array<T, 1>& gradient,
                                          const std::array<T, 1>& state, const std::array<T, 1>&,
                                          const std::array<T, 4>& kept) {
        const auto& [g] = gradient;
        const auto& [hidden] = state;
        const auto& [to_r, to_z, to_n, h_n] = kept;
        const auto [r, not_r] = sigmoid_both(to_r);  // σ(x) and 1 - σ(x)
        const auto [z, not_z] = sigmoid_both(to_z);
        const T dn = g * not_z * cell_formulas::tanh_slope(to_n);
        const T dz = g * (hidden - tanh(to_n)) * z * not_z;
        const T dr = dn * h_n * r * not_r;
        return {{dr, dz, dn}, {dr, dz, dn * r}, {g * z}};
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
    static CellStep<T, 2, 4> forward(const std::array<T, 4>& x, const std::array<T, 4>& h,
                                     const std::array<T, 2>& state) {
        const auto& [x_i, x_f, x_g, x_o] = x;
        const auto& [h_i, h_f, h_g, h_o] = h;
        const auto& [hidden, cell] = state;
        const T to_i = x_i + h_i, to_f = x_f + h_f, to_g = x_g + h_g, to_o = x_o + h_o;
        const T i = sigmoid(to_i), f = sigmoid(to_f), g = tanh(to_g), o = sigmoid(to_o);
        const T c = f * cell + i * g;
        return {{o * tanh(c), c}, {to_i, to_f, to_g, to_o}};
    }
    template <class T>
    static StepGradient<T, 4, 2> backward(const std::array<T, 2>& gradient,
                                          const std::array<T, 2>& state,
                                          const std::array<T, 2>& next,
                                          const std::array<T, 4>& kept) {
        using cell_formulas::tanh_slope;
        const auto& [gradient_h, gradient_c] = gradient;
        const auto& [hidden, cell] = state;
        const auto& [next_hidden, c] = next;
        const auto& [to_i, to_f, to_g, to_o] = kept;
        const auto [i, not_i] = sigmoid_both(to_i);
        const auto [f, not_f] = sigmoid_both(to_f);
        const auto [o, not_o] = sigmoid_both(to_o);
        const T dc = gradient_c + gradient_h * o * tanh_slope(c);
        const T di = dc * tanh(to_g) * i * not_i;
        const T df = dc * cell * f * not_f;
        const T dg = dc * i * tanh_slope(to_g);
        const T d_o = gradient_h * tanh(c) * o * not_o;
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
