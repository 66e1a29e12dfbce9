// Cases for whole layers: their parameters are checked like any other input.
#pragma once

#include "nn/module/gradcheck_model.h"
#include "tests/gradcheck/registry.h"

namespace heed {

// The case of f(model, inputs), its inputs followed by all parameters of the model (made float64).
template <Module M, class F>
Case with_parameters(const std::string& name, const M& model, const std::vector<Tensor>& inputs, F f) {
    ModelFunction all = as_function(model, inputs, f);
    return {name, std::move(all.f), std::move(all.inputs), std::move(all.names)};
}

}  // namespace heed
