// Two ways to choose the initial values of a recurrent cell. They differ from the default, in which
// all weights and biases of a cell of width D are drawn uniformly between -1/√D and 1/√D.
#pragma once

#include "nn/nn.h"

// Replaces the recurrent matrix by `scale` times a random orthogonal one. A cell with several gates
// has one matrix for each, and each becomes orthogonal.
void make_orthogonal(heed::RecurrentCell& cell, heed::Rng& rng, double scale = 1);

// Adds `by` to the bias of the gate that keeps the old state: z of a GRU, f of an LSTM.
void raise_keep_bias(heed::RecurrentCell& cell, double by);
