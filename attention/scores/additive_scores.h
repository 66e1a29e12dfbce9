// The additive score (Bahdanau, Cho, Bengio 2015, appendix A.1.2) as one operation:
//
//     scoreᵢⱼ = Σₐ vₐ tanh(qᵢₐ + kⱼₐ)
//
//     Tensor scores = additive_scores(w(q), u(k), v);    // [B, Q, K]
//
// The arguments of tanh, A numbers for every pair of query and key, are never stored: backward
// computes them again, which is faster than reading them. additive_scores_definition() is the same
// composed of plain operations.
#pragma once

#include "autograd/tensor/tensor.h"

namespace heed {

// q [B, Q, A], k [B, K, A], v [A] -> [B, Q, K]. Throws when the sizes do not fit.
Tensor additive_scores(const Tensor& q, const Tensor& k, const Tensor& v);
Tensor additive_scores_definition(const Tensor& q, const Tensor& k, const Tensor& v);

}  // namespace heed
