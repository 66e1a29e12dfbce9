// Linear attention: causal attention whose past is a matrix of fixed size, the state, and not a
// cache of keys and values. A step reads one query, key and value and costs the same however long
// the past is. S is the state [D, D'] of a head, at first 0:
//
//     S'ₜ = αₜ Sₜ₋₁                           decay: a row of S' for each element of αₜ
//     uₜ  = vₜ   or   βₜ (vₜ - S'ₜᵀ kₜ)        what is written
//     Sₜ  = S'ₜ + kₜ uₜᵀ                        oₜ = Sₜᵀ qₜ
//
//     uₜ = vₜ, α = 1           the sum         Katharopoulos et al. 2020, equations 16 to 20
//     α a constant of a head   decay           Sun et al. 2023 (RetNet), equations 6 and 8
//     αₜ computed from xₜ      gates           Yang et al. 2023 (GLA), section 4.1
//     uₜ = βₜ (vₜ - S'ₜᵀ kₜ)    the delta rule  Schlag et al. 2021, section 4.2; Yang et al. 2024
//
// The delta rule first reads what the state holds for the key, and writes only the difference to the
// new value: with a key of length 1 and β = 1 the old value is replaced, not added to.
//
// Without the state: oₜ = Σⱼ wₜⱼ vⱼ over j ≤ t, with wₜⱼ = Σ_d qₜ kⱼ αⱼ₊₁ ... αₜ. That is attention
// without a softmax. With normalise = true the weights are divided by their sum, as a softmax does;
// then the features of queries and keys must be positive.
//
//     Tensor state;                                                          // the sum, normalised:
//     const Tensor q = elu_features(x), k = elu_features(y);                 // [B, H, T, D]
//     Tensor o = linear_attention(q, k, v, {.normalise = true, .state = &state});   // the first T
//     Tensor next = linear_attention(q1, k1, v1, {.normalise = true, .state = &state});  // one more
//
// The three functions give the same numbers. The definition is the loop above. The parallel form is a
// product under a mask, [T, T]. linear_attention() goes through the sequence in chunks: inside a chunk
// it is the parallel form, between chunks the state (Yang et al. 2023, section 4.2), so it costs
// T (chunk (D + D') + 2 D D') multiply-adds. Gates of their own for each element need the memory of
// [chunk, chunk, D] for it, so a smaller chunk serves them better. The delta rule solves a triangular
// system for the u of a chunk (Yang et al. 2024, section 3).
#pragma once

#include <vector>

#include "attention/scores/soft.h"
#include "nn/layers/layers.h"

namespace heed {

struct StateOptions {
    Tensor log_gate = {};  // ln α, finite, broadcast to [B, H, T, D]; or not defined: α = 1
    Tensor beta = {};  // the delta rule's, broadcast to [B, H, T, 1]; or not defined: no delta rule
    bool normalise = false;  // weights that sum to 1; not with the delta rule
    // Before the call the first state, [B, H, D, D'], or not defined: 0. After it the state after the last
    // step. With normalise it has one more column, the sum of the keys.
    Tensor* state = nullptr;
    int64_t chunk = 32;  // of linear_attention()
};

// q [B, H, T, D], k [B, H, T, D], v [B, H, T, D'] -> [B, H, T, D']. Throws when shapes do not fit.
Tensor linear_attention(const Tensor& q, const Tensor& k, const Tensor& v,
                        const StateOptions& options = {});
Tensor linear_attention_definition(const Tensor& q, const Tensor& k, const Tensor& v,
                                   const StateOptions& options = {});
// The same with the weights [B, H, T, T], of the steps of this call.
AttentionOutput linear_attention_parallel(const Tensor& q, const Tensor& k, const Tensor& v,
                                          const StateOptions& options = {});

// φ(x) = elu(x) + 1, positive (Katharopoulos et al. 2020, equation 7). Those of efficient/performer.h
// estimate a softmax.
Tensor elu_features(const Tensor& x);

// ln γ of each head, [H, 1, 1]: γ = 1 - 2^(-first - h), h = 0, 1, ... (Sun et al. 2023, equation 8).
Tensor retention_decays(Integer heads, Dtype dtype = Dtype::float32, double first = 5);

// (I + A)⁻¹ of the part of a [..., T, T] below its diagonal; the rest is not read.
Tensor unit_lower_inverse(const Tensor& a);

// --- as a layer ----------------------------------------------------------------------------------

enum class StateRule { sum, decay, gate, delta };
const char* name_of(StateRule rule);
const std::vector<StateRule>& state_rules();  // all, in this order

struct LinearAttentionOptions {
    int64_t width = 0;  // D
    int64_t heads = 1;  // H; must divide the width
    StateRule rule = StateRule::sum;
    // delta: β lies between 0 and this. Above 1 the state may change its sign along a key, which parity
    // needs (Grazzi et al. 2024, theorem 1).
    double most_beta = 1;
    int64_t chunk = 32;
};

// Linear attention with projections. The sum has the features above and is normalised. The other rules
// normalise the context of each head by its root mean square instead, as their papers do; the delta rule
// also gives queries and keys the length 1.
struct LinearAttention {
    Linear query, key, value;  // [D, D]
    Linear gate;               // gate: [D, D]; delta: [H, D]; else not defined
    RmsNorm norm;              // [D / H]; not defined for the sum
    Linear output;             // [D, D]
    LinearAttentionOptions options;

    LinearAttention() = default;
    // Throws unless the heads divide the width.
    LinearAttention(const LinearAttentionOptions& options, Rng& rng);
    template <class F>
    void visit(F&& f) {
        f("query", query);
        f("key", key);
        f("value", value);
        f("gate", gate);
        f("norm", norm);
        f("output", output);
    }

    // x [B, T, D] -> [B, T, D]. With a state, as in StateOptions, x are the next T steps. Its values for
    // hooks: "q", "k", "v" [B, H, T, D / H] and "heads" [B, H, T, D / H], the contexts.
    Tensor operator()(const Tensor& x, Tensor* state = nullptr) const;
};

}  // namespace heed
