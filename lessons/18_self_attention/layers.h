// Layers of self-attention with residual connections: each layer computes x + attention(x), with
// one head.
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

}  // namespace heed::lesson18
