// For checking whole modules: their parameters are inputs like any other.
#pragma once

#include <utility>

#include "nn/module.h"
#include "tests/gradcheck/registry.h"

namespace heed {

// A case whose function is call(model, inputs) and whose inputs are the given ones, then every parameter
// of the model, in float64.
template <class Model, class Call>
Case with_parameters(std::string name, Model model, std::vector<Tensor> inputs, Call call,
                     int highest_order = 2) {
    to_dtype(model, Dtype::float64);
    const std::size_t given = inputs.size();
    std::vector<Tensor> xs = std::move(inputs);
    for (const Parameter& p : parameters(model)) xs.push_back(detach(p.tensor));
    const auto f = [model, call, given](const std::vector<Tensor>& all) {
        // Put the numbers being checked in the places of the parameters; tied ones share a place.
        Model probe = model;
        std::map<const Tensor::Body*, Tensor> places;
        std::size_t next = given;
        for (const Parameter& p : parameters(probe)) places[p.tensor.body()] = all.at(next++);
        std::vector<Tensor> alive;  // so that no address is used twice
        for_each_parameter(probe, [&](const std::string&, Tensor& x) {
            alive.push_back(x);
            x = places.at(x.body());
        });
        return call(std::as_const(probe),
                    std::vector<Tensor>(all.begin(), all.begin() + static_cast<int64_t>(given)));
    };
    return {std::move(name), f, std::move(xs), highest_order};
}

}  // namespace heed
