// Layers of self-attention with residual connections: each layer computes x + attention(x), with
// one head. And the readout, which computes the answer from the last vectors.
#pragma once

#include <vector>

#include "attention/heads/multi_head.h"

namespace heed::lesson18 {

struct SelfAttentionLayers {
    std::vector<MultiHead> attentions;  // one for each layer

    SelfAttentionLayers() = default;
    SelfAttentionLayers(int layers, int64_t width, Rng& rng);
    template <class F>
    void visit(F&& f) {
        f("attentions", attentions);
    }
    // x [B, T, D] -> [B, T, D]; also the weights [B, T, T] of each layer, if `weights` is given.
    Tensor operator()(Tensor x, const Tensor& mask, std::vector<Tensor>* weights = nullptr) const;
};

// From a vector to the logits of the answers: a linear layer, or a network with a hidden layer.
enum class ReadoutKind { linear, hidden };

struct Readout {
    Linear hidden, output;  // `hidden` is undefined in a linear readout

    Readout() = default;
    Readout(ReadoutKind kind, int64_t width, int64_t answers, Rng& rng);
    template <class F>
    void visit(F&& f) {
        f("hidden", hidden), f("output", output);
    }
    Tensor operator()(const Tensor& x) const;  // [..., width] -> [..., answers]
};

// For comparisons: a layer in double precision, and the largest difference of two tensors.
MultiHead in_float64(MultiHead attention);
double gap(const Tensor& a, const Tensor& b);

}  // namespace heed::lesson18
