// The gradient check for a whole model: its parameters are inputs like any other.
//
//     const GradcheckReport report = gradcheck_model(
//         net, {x}, [](const auto& model, const std::vector<Tensor>& in) { return model(in[0]); });
//
// The check works on a float64 copy of the model, so the model itself may be float32.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "autograd/check/gradcheck.h"
#include "nn/module/module.h"

namespace heed {

// A model as a function of its inputs and its parameters, all float64.
struct ModelFunction {
    DifferentiableFunction f;
    std::vector<Tensor> inputs;  // the given ones, then every parameter, in the order of parameters()
};

// call(model, inputs) must be a function: no randomness that is not seeded inside it.
template <Module M, class Call>
ModelFunction as_function(M model, const std::vector<Tensor>& inputs, Call call) {
    to_dtype(model, Dtype::float64);
    std::vector<Tensor> xs;
    for (const Tensor& x : inputs) xs.push_back(to_dtype(x, Dtype::float64));
    for (const Parameter& p : parameters(model)) xs.push_back(detach(p.tensor));
    const auto given = static_cast<std::ptrdiff_t>(inputs.size());
    const auto f = [model, call, given](const std::vector<Tensor>& all) {
        // Puts the numbers being checked in the places of the parameters; tied ones share a place.
        M probe = model;
        std::map<const Tensor::Body*, Tensor> places;
        std::size_t next = given;
        for (const Parameter& p : parameters(probe)) places[p.tensor.body()] = all.at(next++);
        std::vector<Tensor> alive;  // so that no address is used twice
        for_each_parameter(probe, [&](const std::string&, Tensor& x) {
            alive.push_back(x);
            x = places.at(x.body());
        });
        return call(std::as_const(probe), std::vector<Tensor>(all.begin(), all.begin() + given));
    };
    return {f, std::move(xs)};
}

// Checks the gradients with respect to the inputs and to every parameter.
template <Module M, class Call>
GradcheckReport gradcheck_model(const M& model, const std::vector<Tensor>& inputs, Call call,
                                const GradcheckOptions& options = {}) {
    const ModelFunction function = as_function(model, inputs, call);
    return gradcheck(function.f, function.inputs, options);
}

}  // namespace heed
