// A recurrent cell run over a whole sequence as one operation, for where no other layer stands
// between one step and the next: encoders, language models. Beside it the same thing as a loop of
// single steps.
//
// Why one operation. At each step the cell multiplies a thin matrix [B, H] by the same weights
// [H, gates H]; that product is bound by how fast the weights stream past, and by everything around
// it. Here the weights are transposed once, so that no product copies them again; rows of the batch
// never meet, so each thread takes some rows through all of time and waits for nobody; and the
// gradient of the weights, a sum over steps, is one large product over all steps at the end.
#pragma once

#include "nn/recurrent/recurrent_step.h"

namespace heed {

struct SequenceOptions {
    std::optional<Indices> lengths;  // [B], each 0 .. T; beyond its length a row carries its state
    bool reverse = false;            // from the last step to the first
};

// All states, those between the steps and at both ends: [states, T + 1, B, H]. Going forward, state
// 0 is the initial one and state t + 1 the one after step t; in reverse, state T is the initial one
// and state t the one after step t. x [B, T, gates H] are the projected inputs, W_ih input + b_ih;
// weight [gates H, H] and bias [gates H] (or not defined) are W_hh and b_hh. Throws when the shapes
// do not fit each other.
Tensor recurrent_sequence(CellKind kind, const Tensor& x, const RecurrentState& initial,
                          const Tensor& weight, const Tensor& bias,
                          const SequenceOptions& options = {});
Tensor recurrent_sequence_definition(CellKind kind, const Tensor& x, const RecurrentState& initial,
                                     const Tensor& weight, const Tensor& bias,
                                     const SequenceOptions& options = {});

}  // namespace heed
