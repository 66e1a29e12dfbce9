// One step of a recurrent cell as an operation: the formulas of gates.h in one fused kernel, beside
// the same thing of plain operations. The two matrix products before it are the caller's, so that
// the one with the inputs can be done for all steps at once.
#pragma once

#include "autograd/tensor.h"
#include "nn/gate_loops.h"
#include "nn/gates.h"

namespace heed {

enum class CellKind : uint8_t { rnn_tanh, rnn_relu, gru, lstm };

const char* name_of(CellKind kind);
int gates_of(CellKind kind);   // 1, 1, 3, 4
int states_of(CellKind kind);  // 1, 1, 1, 2

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

// What a cell remembers from one step to the next.
struct RecurrentState {
    Tensor hidden = {};  // [B, H]
    Tensor cell = {};    // [B, H] for LSTM, else not defined
};

// The state after a step, from x = W_ih input + b_ih and h = W_hh hidden + b_hh, both [B, gates H].
// Rows that are not active keep their state. Throws when the shapes do not fit each other.
RecurrentState recurrent_step(CellKind kind, const Tensor& x, const Tensor& h,
                              const RecurrentState& state, const ActiveRows& active = {});
RecurrentState recurrent_step_definition(CellKind kind, const Tensor& x, const Tensor& h,
                                         const RecurrentState& state,
                                         const ActiveRows& active = {});

}  // namespace heed
