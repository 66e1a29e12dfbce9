// A selective state space (Gu and Dao 2023, "Mamba", section 3.2 and algorithm 2): each of D channels
// has a state of N numbers, which decays at a rate that the input decides.
//
//     h = e^(δₜ A) h + δₜ Bₜ xₜ         yₜ = Cₜ · h          for each channel, A < 0
//
// δₜ, Bₜ and Cₜ are computed from the input of the step, which is what "selective" means: with a large
// δ the state forgets its past and takes up xₜ; with δ near 0 the step is passed over.
//
//     Tensor y = selective_scan(x, delta, a, b, c);         // [B, T, D]
//     SelectiveStateSpace layer({.width = 64}, rng);
//     Tensor z = layer(tokens);                             // [B, T, 64]
//     Tensor state;                                         // or one step at a time:
//     for (const Tensor& token : steps) layer(token, &state);
//
// The definition is a loop of plain operations. The scan is one operation: the channels lie side by side
// in vector registers, and the states, N T times as many numbers as a channel's input, are not kept for
// backward but computed again (section 3.3.2).
//
// Shapes: B batch, T time, D channels, N numbers of a state.
#pragma once

#include "nn/layers/layers.h"

namespace heed {

// x [B, T, D], delta [B, T, D], a [D, N], b [B, T, N], c [B, T, N] -> y [B, T, D]. `state`, if it is not
// null, holds h [B, D, N] before the call, or is not defined: 0; after the call it holds h after the last
// step. With a state the gradient, if one is wanted, is that of the definition. Throws when shapes do not
// fit.
Tensor selective_scan(const Tensor& x, const Tensor& delta, const Tensor& a, const Tensor& b,
                      const Tensor& c, Tensor* state = nullptr);
Tensor selective_scan_definition(const Tensor& x, const Tensor& delta, const Tensor& a,
                                 const Tensor& b, const Tensor& c, Tensor* state = nullptr);

struct StateSpaceOptions {
    int64_t width = 0;     // D
    int64_t numbers = 16;  // N, of the state of a channel
    int64_t rank = 0;      // R, of the projection to δ; 0: D / 16, rounded up
};

// A state space with projections:
//     u = silu(W_in x), δ = softplus(W_δ W_r u + bias), B = W_B u, C = W_C u
//     y = W_out ((scan(u) + skip u) silu(W_gate x))
// Without the convolution of width 4 that Mamba has before the scan (section 3.4).
struct SelectiveStateSpace {
    Linear input, gate;  // [D, D]
    Linear rank, delta;  // [R, D], [D, R]
    Linear b, c;         // [N, D]
    Tensor log_a;        // [D, N]: A = -e^log_a, at first -1, ..., -N (section 3.6)
    Tensor skip;         // [D], at first 1
    Linear output;       // [D, D]

    SelectiveStateSpace() = default;
    SelectiveStateSpace(const StateSpaceOptions& options, Rng& rng);
    template <class F>
    void visit(F&& f) {
        f("input", input);
        f("gate", gate);
        f("rank", rank);
        f("delta", delta);
        f("b", b);
        f("c", c);
        f("log_a", log_a);
        f("skip", skip);
        f("output", output);
    }

    // x [B, T, D] -> [B, T, D]. With a state, as in selective_scan(), x are the next T steps. Its value for
    // hooks: "delta" [B, T, D].
    Tensor operator()(const Tensor& x, Tensor* state = nullptr) const;
};

}  // namespace heed
