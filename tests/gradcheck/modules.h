// For listing whole modules: their parameters are inputs like any other.
#pragma once

#include <utility>

#include "nn/gradcheck_model.h"
#include "tests/gradcheck/registry.h"

namespace heed {

// A case whose function is call(model, inputs), checked in the inputs and in every parameter.
template <class Model, class Call>
Case with_parameters(std::string name, Model model, const std::vector<Tensor>& inputs, Call call,
                     int highest_order = 2) {
    ModelFunction function = as_function(std::move(model), inputs, call);
    return {std::move(name), std::move(function.f), std::move(function.inputs), highest_order};
}

}  // namespace heed
