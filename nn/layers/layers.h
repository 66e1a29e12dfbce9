// The layers without memory of time: dense, embedding, layer normalisation, dropout. Each is an
// open struct: make it with sizes and an Rng, call it like a function, reach into its tensors at
// will. Names and beginnings are PyTorch's, so that models trained there load here.
//
// Shapes: B batch, T time, V vocabulary, D width.
#pragma once

#include "autograd/ops/random.h"
#include "autograd/tensor/indices.h"
#include "autograd/tensor/tensor.h"

namespace heed {

// y = x Wᵀ + b over the last axis of x, [..., in] -> [..., out].
struct Linear {
    Tensor weight;  // [out, in]
    Tensor bias;    // [out], or not defined

    Linear() = default;
    Linear(int64_t in, int64_t out, Rng& rng, bool with_bias = true);
    template <class F>
    void visit(F&& f) {
        f("weight", weight);
        f("bias", bias);
    }

    // Throws when the last axis of x is not `in` long.
    Tensor operator()(const Tensor& x) const;
};

// A row of the table for every id, [...] -> [..., D]. The row of the padding id begins as zeros and
// stays so: it gets no gradient.
struct Embedding {
    static constexpr int no_padding = -1;

    Tensor weight;  // [V, D]
    int padding = no_padding;

    Embedding() = default;
    Embedding(int64_t vocabulary, int64_t width, Rng& rng, int padding_id = no_padding);
    template <class F>
    void visit(F&& f) {
        f("weight", weight);
    }

    // Throws for an id outside [0, V).
    Tensor operator()(const Indices& ids) const;
};

// Each row of the last axis to mean 0 and variance 1, then scaled and shifted (Ba, Kiros, Hinton
// 2016).
struct LayerNorm {
    Tensor weight;  // [D], the scale
    Tensor bias;    // [D], the shift, or not defined
    double eps = 1e-5;

    LayerNorm() = default;
    explicit LayerNorm(int64_t width, bool with_bias = true);
    template <class F>
    void visit(F&& f) {
        f("weight", weight);
        f("bias", bias);
    }

    Tensor operator()(const Tensor& x) const;  // [..., D] -> [..., D]
};

// In training sets each element to 0 with probability p and divides the others by 1 - p, so that
// the expectation stays (Srivastava et al. 2014, section 10). Whether this is training is said at
// each call: with a generator it is, without one nothing is dropped.
struct Dropout {
    double p = 0;

    Dropout() = default;
    explicit Dropout(double probability);  // throws unless 0 <= p < 1
    template <class F>
    void visit(F&&) {}

    Tensor operator()(const Tensor& x, Rng* training = nullptr) const;
};

}  // namespace heed
