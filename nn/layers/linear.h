// The dense layer and the table of embeddings. Shapes: V vocabulary, D width.
#pragma once

#include <optional>

#include "autograd/base/rng.h"
#include "autograd/ops/product/quantised_matrix.h"
#include "autograd/tensor/indices.h"
#include "autograd/tensor/tensor.h"

namespace heed {

// A product of two narrow matrices, added to what a layer computes: (α/r) x Aᵀ Bᵀ. See adapters.h.
struct LowRankAdapter {
    Tensor down;       // A [R, In]
    Tensor up;         // B [Out, R]
    double scale = 1;  // α/r

    void visit(auto&& f) { f("down", down), f("up", up); }
    Tensor operator()(const Tensor& x) const;  // [..., In] -> [..., Out]
};

// y = x Wᵀ + b over the last axis of x, [..., In] -> [..., Out]. For decoding, the weight may be in 8 or 4
// bits (quantise.h); then it is no Tensor, and nobody can train or save the layer.
struct Linear {
    Tensor weight;                          // [Out, In]
    Tensor bias;                            // [Out], or not defined
    QuantisedMatrix quantised;              // in place of the weight, or not defined
    std::optional<LowRankAdapter> adapter;  // from add_adapters()

    Linear() = default;
    // Weight and bias uniform in [-1/√In, 1/√In].
    Linear(Integer in, Integer out, Rng& rng, Flag with_bias = true);
    void visit(auto&& f) {
        f("weight", weight), f("weight", quantised), f("bias", bias), f("adapter", adapter);
    }

    // x [..., In] -> [..., Out]
    Tensor operator()(const Tensor& x) const;

    bool defined() const { return weight.defined() || quantised.defined(); }
    int64_t in_features() const;   // In
    int64_t out_features() const;  // Out
    Dtype dtype() const;           // of what it computes
};

// Row id of the table for every id, [...] -> [..., D]. The row of the padding id is zero at first, and
// gets no gradient from this layer. So it stays zero, unless the table is used elsewhere too: as the
// weight of an output layer (tied weights), the row gets the gradient of the padding's logit.
struct Embedding {
    static constexpr int no_padding = -1;

    Tensor weight;              // [V, D], normal with mean 0 and variance 1 at first
    QuantisedMatrix quantised;  // in place of the weight, or not defined
    int padding = no_padding;

    Embedding() = default;
    Embedding(Integer vocabulary, Integer width, Rng& rng, Integer padding_id = no_padding);
    void visit(auto&& f) { f("weight", weight), f("weight", quantised); }

    // Throws for an id outside [0, V).
    Tensor operator()(const Indices& ids) const;
};

}  // namespace heed
