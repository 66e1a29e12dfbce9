// Synthesizer (Tay, Bahri, Metzler, Juan, Zhao, Zheng 2021): weights without queries and keys. They
// are predicted from the token alone, or are parameters of the positions.
//
//     dense             score(i, j) = (W₂ relu(W₁ xᵢ + b₁) + b₂)ⱼ             section 3.1, equation 1
//     random            score(i, j) = Rᵢⱼ, learned                           section 3.2
//     factored_dense    score(i, j) = A(xᵢ)ᵤ C(xᵢ)ₜ,  j = u c + t             section 3.3
//     factored_random   score(i, j) = (R₁ R₂ᵀ)ᵢⱼ                             section 3.3
//
//     context = softmax(score) v
//
//     Synthesizer attention(SynthesizerKind::dense, {.width = 64, .length = 512, .heads = 4}, rng);
//     auto [context, weights] = attention(x, v);      // x [B, T, 64], v [B, 4, T, 16]
//
// The parameters have the size of the longest sequence: a sequence may be shorter, but not longer. A
// Synthesizer saves the products q k, not the weights times the values: the cost stays quadratic.
#pragma once

#include <string_view>
#include <vector>

#include "attention/scores/soft.h"
#include "nn/layers/layers.h"

namespace heed {

enum class SynthesizerKind { dense, random, factored_dense, factored_random };
const char* name_of(SynthesizerKind kind);
const std::vector<SynthesizerKind>& synthesizer_kinds();

struct SynthesizerOptions {
    int64_t width = 0;   // D, of the tokens; not used by the random kinds
    int64_t length = 0;  // N, the most keys
    int64_t heads = 1;
    int64_t hidden = 0;  // of W₁; 0: the width
    int64_t factor = 8;  // the length of A(x) (the other factor has N / factor), or the rank
                         // of R₁ R₂ᵀ
};

struct Synthesizer {
    SynthesizerKind kind = SynthesizerKind::random;
    int64_t heads = 1, length = 0;
    Linear hidden;         // W₁ [A, D], of the dense kinds
    Linear left, right;    // dense: right [H N, A]; factored_dense: left [H a, A], right [H c, A]
    Tensor first, second;  // random: second [H, N, N]; factored_random: both [H, N, rank]

    Synthesizer() = default;
    // Throws unless the sizes that the kind needs are positive.
    Synthesizer(SynthesizerKind kind, const SynthesizerOptions& options, Rng& rng);
    template <class F>
    void visit(F&& f) {
        f("hidden", hidden);
        f("left", left);
        f("right", right);
        f("first", first);
        f("second", second);
    }

    // x [B, T, D] -> the scores [B, H, T, K] for the first K positions. Throws for more than N.
    Tensor scores(const Tensor& x, Integer keys) const;

    // x [B, T, D], v [B, H, K, D'], mask broadcast to [B, H, T, K] or not defined -> context
    // [B, H, T, D'], weights [B, H, T, K]. Throws when sizes do not fit.
    AttentionOutput operator()(const Tensor& x, const Tensor& v, const Tensor& mask = {}) const;
};

}  // namespace heed
