// A choice among K places, drawn with the probabilities α = softmax(scores).
//
//     const CategoricalSample choice = sample_categorical(scores, rng, mask);                  // scores [B, Q, K]
//     const Tensor context = values_at(value, choice.indices);           // [B, K, D] -> [B, Q, D]
//
// The places are integers: no gradient can leak through them. What carries gradient is log_prob,
// and every choice of a path has one: leaving one out is an error that still trains.
//
// A place that is not allowed is never drawn, and its score gets gradient exactly 0.
#pragma once

#include "autograd/ops/random.h"
#include "autograd/tensor/indices.h"
#include "autograd/tensor/tensor.h"

namespace heed {

// Drawn places and ln p of each draw, for scores [..., K].
struct CategoricalSample {
    Indices places;   // [...]
    Tensor log_prob;  // [...]
};

// Throws when there is a row without an allowed place.
CategoricalSample sample_categorical(const Tensor& scores, Rng& rng, const Tensor& mask = {});

// ln α [..., K]; about -1e30 where the mask does not allow.
Tensor log_weights(const Tensor& scores, const Tensor& mask = {});

// ln α at places chosen otherwise: scores [..., K], places [...] -> [...].
Tensor categorical_log_prob(const Tensor& scores, const Indices& places, const Tensor& mask = {});

// The likeliest places [...], for use after training.
Indices most_likely(const Tensor& scores, const Tensor& mask = {});

// H = -Σ α ln α  [..., K] -> [...]. Added to a reward, that is taken from a loss, it keeps the
// choice from becoming certain too early (Williams and Peng 1991; Xu et al. 2015, section 4.1):
//
//     backward(reinforce(loss - 0.01 * categorical_entropy(scores), choice.log_prob));
Tensor categorical_entropy(const Tensor& scores, const Tensor& mask = {});

// The values at the places: value [B, K, D], places [B] or [B, Q] -> [B, D] or [B, Q, D]. Reads
// only what is looked at. The gradient goes to those values.
Tensor values_at(const Tensor& value, const Indices& places);

// All of it, as soft_attention() has it: scores [B, Q, K], value [B, K, D].
struct HardAttentionOutput {
    Tensor context;   // [B, Q, D], the values at the places
    Tensor weights;   // [B, Q, K], the probabilities
    Indices places;   // [B, Q]
    Tensor log_prob;  // [B, Q]
};
HardAttentionOutput hard_attention(const Tensor& scores, const Tensor& value, Rng& rng,
                            const Tensor& mask = {});

}  // namespace heed
