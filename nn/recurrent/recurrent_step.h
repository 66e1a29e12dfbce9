// One step of a recurrent cell as an operation: the formulas of gates.h in one fused kernel, beside
// the same thing of plain operations. The two matrix products before it are the caller's, so that
// the one with the inputs can be done for all steps at once.
#pragma once

#include <optional>

#include "autograd/tensor/indices.h"
#include "autograd/tensor/tensor.h"

namespace heed {

enum class CellKind : uint8_t { rnn_tanh, rnn_relu, gru, lstm };

const char* name_of(CellKind kind);
int gates_of(CellKind kind);   // 1, 1, 3, 4
int states_of(CellKind kind);  // 1, 1, 1, 2

// Which rows of the batch take part in a step: those longer than it. The others carry their state
// through. Without lengths all take part.
struct ActiveRows {
    std::optional<Indices> lengths;  // [B]
    int64_t step = 0;
    bool operator()(int64_t row) const { return !lengths || step < (*lengths)[row]; }
};

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
