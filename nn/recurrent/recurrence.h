// A recurrent cell at work: one step, and all steps of a sequence. Each is defined by plain
// operations (the functions named *_definition) and computed by one fused kernel, which gives the
// same numbers. The layers that own weights are in recurrent.h.
//
// Shapes: B batch, T time, H hidden width, G = gates H: the cell has 1, 1, 3 or 4 gates.
#pragma once

#include <optional>

#include "autograd/tensor/indices.h"
#include "autograd/tensor/tensor.h"
#include "nn/recurrent/cells.h"

namespace heed {

const char* name_of(CellKind kind);
int gates_of(CellKind kind);   // 1, 1, 3, 4
int states_of(CellKind kind);  // 1, 1, 1, 2

// What a cell remembers from one step to the next.
struct RecurrentState {
    Tensor hidden = {};  // [B, H]
    Tensor cell = {};    // [B, H] for LSTM, else not defined
};

// --- one step ------------------------------------------------------------------------------------

// Which rows of the batch take part in a step: those whose length exceeds its index. The other rows
// keep their state. Without lengths all rows take part.
struct ActiveRows {
    std::optional<Indices> lengths;  // [B]
    int64_t step = 0;
    bool operator()(int64_t row) const { return !lengths || step < (*lengths)[row]; }
};

// The state after a step, from x = W_ih input + b_ih and h = W_hh hidden + b_hh, both [B, G].
// The caller computes these products, so that W_ih can be applied to all steps at once. Throws when
// the shapes do not match.
RecurrentState recurrent_step_definition(CellKind kind, const Tensor& x, const Tensor& h,
                                         const RecurrentState& state,
                                         const ActiveRows& active = {});
RecurrentState recurrent_step(CellKind kind, const Tensor& x, const Tensor& h,
                              const RecurrentState& state, const ActiveRows& active = {});

// --- all steps of a sequence ---------------------------------------------------------------------

struct SequenceOptions {
    std::optional<Indices> lengths;  // [B], each 0 .. T; a row keeps its state after its last step
    bool reverse = false;            // from the last step to the first
};

// All states, from the initial to the final one: [states, T + 1, B, H]. Forward, state 0 is the
// initial one and state t + 1 the one after step t; in reverse, state T is the initial one and
// state t the one after step t. x [B, T, G] are the projected inputs, W_ih input + b_ih;
// weight [G, H] and bias [G] (or not defined) are W_hh and b_hh. Throws when the shapes
// do not match.
//
// The definition is a loop of single steps. The kernel is one operation, for encoders and language
// models, where nothing happens between two steps (recurrence_kernels.h says what makes it fast).
Tensor recurrent_sequence_definition(CellKind kind, const Tensor& x, const RecurrentState& initial,
                                     const Tensor& weight, const Tensor& bias,
                                     const SequenceOptions& options = {});
Tensor recurrent_sequence(CellKind kind, const Tensor& x, const RecurrentState& initial,
                          const Tensor& weight, const Tensor& bias,
                          const SequenceOptions& options = {});

}  // namespace heed
