// Attention by locality-sensitive hashing (Kitaev, Kaiser, Levskaya 2020, "Reformer", section 2): a
// query attends only to keys with the same hash, and the hash is made so that vectors of similar
// direction tend to have the same.
//
//     key              k = q / |q|: queries and keys are shared
//     hash             h(x) = argmax [x R; -x R],  R normal [D, buckets / 2]
//     order            positions sorted by (hash, position), cut into chunks of m
//     may attend       i to j: the same hash, and j in the chunk of i or in the chunk before it
//     own position     i to i only if it may attend to nothing else
//
//     Tensor context = lsh_attention(qk, v, {.buckets = 32, .chunk = 64, .hashes = 4});
//
// With several hashes a query attends to the union of what each allows. A pair that N of them allow
// counts once: ln N is subtracted from its score in each (equation 4, appendix A). So the result is
// exactly softmax attention under the dense mask of lsh_mask(), and lsh_definition() computes that.
// Which pairs are in it depends on the numbers in qk, but is constant for the gradient.
//
// It computes 2 m scores for each position and hash, T R 2m in all, and keeps them for backward.
#pragma once

#include "attention/scores/soft.h"
#include "autograd/tensor/indices.h"

namespace heed {

struct LshOptions {
    int64_t buckets = 8;  // an even number; about T / m is usual
    int64_t chunk = 64;   // m
    int64_t hashes = 1;   // R
    bool causal = false;
    Tensor mask = {};   // [B, 1, 1, T], 1 = may be attended to; or not defined
    double scale = 0;   // of q · k; 0: 1 / √D
    uint64_t seed = 1;  // of the matrices R
};

// qk [B, H, T, D], v [B, H, T, D'] -> [B, H, T, D']. A position that may not be attended to has the
// context 0. Throws when sizes do not fit.
Tensor lsh_attention(const Tensor& qk, const Tensor& v, const LshOptions& options = {});

// The same with the dense mask, and the weights [B, H, T, T].
AttentionOutput lsh_definition(const Tensor& qk, const Tensor& v, const LshOptions& options = {});

// The hash of each position: [B, H, R, T]. Positions that the mask excludes have the number `buckets`.
Indices lsh_buckets(const Tensor& qk, const LshOptions& options = {});

// Who may attend to whom: [B, H, T, T], a constant in the dtype of qk.
Tensor lsh_mask(const Tensor& qk, const LshOptions& options = {});

}  // namespace heed
