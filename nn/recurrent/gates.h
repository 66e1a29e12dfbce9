// The formulas of the recurrent cells: what happens at one step after the two matrix products
//
//     x = W_ih input + b_ih        h = W_hh hidden + b_hh
//
// as cards, in the manner of autograd/ops/cards.h. Each is written once, for any type T: on vector
// registers it is the kernel, on tensors it is the definition that the kernel is tested against and
// differentiated twice through. `backward` is the hand-written gradient of the kernel.
//
// Gates stand in PyTorch's order, so that weights trained there load here.
#pragma once

#include <array>

#include "autograd/kernels/vec_math.h"
#include "autograd/ops/unary.h"

namespace heed {

// The gradients of one step: with respect to x and h, and to the states before it (without the way
// through h, which is a matrix product and not done here).
template <class T, int gates, int states>
struct StepGradient {
    std::array<T, gates> x, h;
    std::array<T, states> state;
};

// On registers; on tensors it is unary.h's.
template <class T>
Vec<T> relu(Vec<T> x) {
    return maximum(x, Vec<T>(0));
}

// Elman's cell (1990):        h' = tanh(x + h)
struct TanhGates {
    static constexpr auto name = "rnn_tanh_gates";
    static constexpr int gates = 1, states = 1, saved = 0;

    template <class T>
    static std::array<T, 1> forward(const std::array<T, 1>& x, const std::array<T, 1>& h,
                                    const std::array<T, 1>&, std::array<T, 0>&) {
        return {tanh(x[0] + h[0])};
    }
    // dL/dx = dL/dh = g (1 - h'²)
    template <class T>
    static StepGradient<T, 1, 1> backward(const std::array<T, 1>& g, const std::array<T, 1>&,
                                          const std::array<T, 1>& next, const std::array<T, 0>&) {
        const T d = g[0] * (1 - next[0] * next[0]);
        return {{d}, {d}, {T(0)}};
    }
};

// The same with max(x + h, 0), begun near the identity by Le, Jaitly and Hinton (2015).
struct ReluGates {
    static constexpr auto name = "rnn_relu_gates";
    static constexpr int gates = 1, states = 1, saved = 0;

    template <class T>
    static std::array<T, 1> forward(const std::array<T, 1>& x, const std::array<T, 1>& h,
                                    const std::array<T, 1>&, std::array<T, 0>&) {
        return {relu(x[0] + h[0])};
    }
    template <class T>
    static StepGradient<T, 1, 1> backward(const std::array<T, 1>& g, const std::array<T, 1>&,
                                          const std::array<T, 1>& next, const std::array<T, 0>&) {
        const T d = where(next[0] > T(0), g[0], T(0));
        return {{d}, {d}, {T(0)}};
    }
};

// The gated recurrent unit (Cho et al. 2014, section 2.3), in the variant in which the reset gate
// acts after the matrix product; gates r, z, n:
//
//     r = σ(x_r + h_r)        z = σ(x_z + h_z)        n = tanh(x_n + r h_n)
//     h' = (1 - z) n + z hidden
struct GruGates {
    static constexpr auto name = "gru_gates";
    static constexpr int gates = 3, states = 1, saved = 4;  // saved: r, z, n, h_n

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

// Long short-term memory (Hochreiter and Schmidhuber 1997; forget gate: Gers et al. 2000); gates i,
// f, g, o; states: hidden, cell c:
//
//     i = σ(x_i + h_i)        f = σ(x_f + h_f)        g = tanh(x_g + h_g)        o = σ(x_o + h_o)
//     c' = f c + i g          h' = o tanh c'
struct LstmGates {
    static constexpr auto name = "lstm_gates";
    static constexpr int gates = 4, states = 2, saved = 4;  // saved: i, f, g, o

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

}  // namespace heed
