// Samples of one of K indices with the probabilities α = softmax(scores).
//
//     const CategoricalSample sample = sample_categorical(scores, rng, mask);   // scores [B, Q, K]
//     const Tensor context = values_at(value, sample.indices);      // [B, K, D] -> [B, Q, D]
//
// The indices are integers and have no gradient. The gradient comes through log_prob. A model that
// samples several times needs the log_prob of every sample in its loss; with one left out it still
// trains, but with a wrong gradient.
//
// An index that the mask excludes is never sampled, and its score gets gradient exactly 0.
#pragma once

#include "autograd/tensor/indices.h"
#include "autograd/tensor/random.h"
#include "autograd/tensor/tensor.h"

namespace heed {

// Samples and their log-probabilities, for scores [..., K].
struct CategoricalSample {
    Indices indices;  // [...]
    Tensor log_prob;  // [...]
};

// Throws when a row has no allowed index.
CategoricalSample sample_categorical(const Tensor& scores, Rng& rng, const Tensor& mask = {});

// ln α [..., K]; about -1e30 where the mask excludes the index.
Tensor log_weights(const Tensor& scores, const Tensor& mask = {});

// ln α at given indices: scores [..., K], indices [...] -> [...]. Throws for an index outside
// 0 .. K - 1.
Tensor categorical_log_prob(const Tensor& scores, const Indices& indices, const Tensor& mask = {});

// The index of the largest weight in each row, [...]: for use after training.
Indices most_likely(const Tensor& scores, const Tensor& mask = {});

// The entropy H = -Σ α ln α  [..., K] -> [...]. Subtracted from a loss it keeps the distribution
// from becoming certain too early (Williams and Peng 1991; Xu et al. 2015, section 4.1):
//
//     backward(reinforce(loss - 0.01 * categorical_entropy(scores), sample.log_prob));
Tensor categorical_entropy(const Tensor& scores, const Tensor& mask = {});

// The values at given indices: value [B, K, D], indices [B] or [B, Q] -> [B, D] or [B, Q, D]. Only
// these values get gradient. Throws for an index outside 0 .. K - 1.
Tensor values_at(const Tensor& value, const Indices& indices);

// Hard attention with the signature of soft_attention(): scores [B, Q, K], value [B, K, D].
struct HardAttentionOutput {
    Tensor context;   // [B, Q, D], the values at the sampled indices
    Tensor weights;   // [B, Q, K], the probabilities
    Indices indices;  // [B, Q]
    Tensor log_prob;  // [B, Q]
};
HardAttentionOutput hard_attention(const Tensor& scores, const Tensor& value, Rng& rng,
                                   const Tensor& mask = {});

}  // namespace heed
