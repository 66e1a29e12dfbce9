// Performer (Choromanski et al. 2021, "Rethinking attention with Performers"): the exponential of a
// dot product is written as the mean of a product of random features, so that the sum over the keys
// need not know the query.
//
//     e^(x·y) = E[φ(x)·φ(y)],    φₘ(x) = e^(wₘ·x - |x|²/2) / √M,    wₘ normal      (lemma 1)
//
//     context = φ(q) (φ(k)ᵀ v) / (φ(q) φ(k)ᵀ 1)                                    (equation 4)
//
// φ is positive, so the weights are positive and sum to 1. The rows of w are orthogonal in groups of D,
// which lowers the variance and keeps the mean (section 2.4). q and k are multiplied by √scale.
//
//     const Tensor w = orthogonal_features(256, 64, rng);                    // [M, D]
//     Tensor context = performer_attention(q, k, v, w, {.causal = true});    // [B, H, Q, D']
//
// It costs (Q + K) M (D + D') multiply-adds. Causal attention goes through the sequence in chunks and
// keeps Σ φ(k) vᵀ of the keys before the chunk (a prefix sum, section 2.5.1, appendix B.1).
//
// To avoid overflow the features of a query are divided by their largest one, and those of the keys of
// a head by the largest of all keys. Both factors cancel. In causal attention a later key so changes
// earlier contexts by rounding, and if it is larger than all others by a factor beyond the range of the
// dtype, earlier contexts are NaN. A NaN in a later key does not reach them.
#pragma once

#include "attention/scores/soft.h"
#include "autograd/base/rng.h"

namespace heed {

// Gaussian vectors w [M, D]: each has the distribution of normal({D}), and those in a group of D are
// orthogonal. Throws unless both sizes are positive.
Tensor orthogonal_features(Integer features, Integer width, Rng& rng, Dtype dtype = Dtype::float32);

// φ(x): x [..., D], w [M, D] -> [..., M]. The mean of φ(x)·φ(y) over w is e^(x·y). Throws when the
// widths differ.
Tensor positive_features(const Tensor& x, const Tensor& w);

struct PerformerOptions {
    Tensor mask = {};     // [B, 1, 1, K], 1 = queries may attend to the key; or not defined
    bool causal = false;  // query i attends to the keys up to i; Q = K
    double scale = 0;     // of the dot products; 0: 1 / √D
    int64_t chunk = 64;   // of causal attention
};

// q [B, H, Q, D], k [B, H, K, D], v [B, H, K, D'], w [M, D] -> [B, H, Q, D']. A query without an
// allowed key has the context 0. Throws when sizes do not fit, and for a mask of single queries.
Tensor performer_attention(const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& w,
                           const PerformerOptions& options = {});

// The same with the weights φ(q)·φ(k) / Σ φ(q)·φ(k) [B, H, Q, K].
AttentionOutput performer_definition(const Tensor& q, const Tensor& k, const Tensor& v,
                                     const Tensor& w, const PerformerOptions& options = {});

}  // namespace heed
