// Cases for whole layers: their parameters are checked like any other input.
#pragma once

#include "attention/scores/soft.h"
#include "nn/module/gradcheck_model.h"
#include "tests/gradcheck/registry.h"

namespace heed {

inline constexpr const char* softmax_cancels =
    "the bias of the keys adds the same number to all scores of a query, which softmax cancels";

// Everything that an attention returns, as one row of numbers.
inline Tensor joined(const AttentionOutput& y) {
    return concat({reshape(y.context, {-1}), reshape(y.weights, {-1})}, 0);
}

// All parameters drawn from [-1, 1]. Initial values as in the papers make small models degenerate:
// biases of 0 meet other biases of 0, and with weights near 0 a layer norm divides by nearly 0. The
// seeds are chosen so that no gradient is small.
template <Module M>
M scattered(M model, uint64_t seed = 3) {
    Rng rng(seed);
    for (const Parameter& p : parameters(model)) {
        Tensor x = p.tensor;
        x.assign(uniform(x.shape(), -1, 1, rng, x.dtype()));
    }
    return model;
}

// The case of f(model, inputs), its inputs followed by all parameters of the model (made float64).
// It follows the dtype of its inputs.
template <Module M, class F>
Case with_parameters(const std::string& name, const M& model, const std::vector<Tensor>& inputs,
                     F f) {
    const ModelFunction wide = as_function(model, inputs, f);
    const ModelFunction narrow = as_function(model, inputs, f, Dtype::float32);
    return {name,
            [=](const std::vector<Tensor>& x) {
                return (x[0].dtype() == Dtype::float64 ? wide : narrow).f(x);
            },
            wide.inputs, wide.names};
}

}  // namespace heed
