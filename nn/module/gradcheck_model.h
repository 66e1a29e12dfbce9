// The gradient check for a whole model: its parameters are inputs like any other.
//
//     const GradcheckReport report = gradcheck_model(
//         net, {x}, [](const auto& model, const std::vector<Tensor>& in) { return model(in[0]); });
//
// The check works on a float64 copy of the model, so the model itself may be float32. It throws if the
// model uses a parameter that its visit() does not name.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "autograd/check/gradcheck.h"
#include "nn/module/module.h"

namespace heed {

// A model as a function of its inputs and its parameters, all of one dtype.
struct ModelFunction {
    DifferentiableFunction f;
    std::vector<Tensor> inputs;      // the given ones, then every parameter, in the order of
                                     // parameters()
    std::vector<std::string> names;  // "x0", "x1", ... and those of the parameters
};

// Throws if y was computed from a parameter that the model's visit() does not name.
template <Module M>
void check_visit(const Tensor& y, const M& model) {
    std::vector<Tensor> known;
    for (const Parameter& p : parameters(model)) known.push_back(p.tensor);
    for (const Shape& shape : other_parameters(y, known))
        fail(
            "gradcheck_model: the model uses a parameter of shape {} that its visit() does not "
            "name; name it there, or freeze() it",
            shape);
}

// call(model, inputs) must be a function: no randomness that is not seeded inside it.
template <Module M, class Call>
ModelFunction as_function(const M& original, const std::vector<Tensor>& inputs, Call call,
                          Dtype dtype = Dtype::float64) {
    M model = copy_model(original);
    to_dtype(model, dtype);
    std::vector<Tensor> xs;
    std::vector<std::string> names;
    for (const Tensor& x : inputs) {
        names.push_back(fmt::format("x{}", xs.size()));
        xs.push_back(to_dtype(x, dtype));
    }
    for (const Parameter& p : parameters(model)) {
        names.push_back(p.name);
        xs.push_back(detach(p.tensor));
    }
    const auto given = static_cast<std::ptrdiff_t>(inputs.size());
    check_visit(call(std::as_const(model), std::vector<Tensor>(xs.begin(), xs.begin() + given)),
                model);
    const auto f = [model, call, given](const std::vector<Tensor>& all) {
        // A copy of the model with the numbers being checked as its parameters; tied ones stay tied.
        M probe = model;
        std::map<const Tensor::Body*, Tensor> checked;
        const ParameterList own = parameters(probe);
        check(all.size() == given + own.size(),
              "as_function: expected {} inputs and {} parameters, got {} tensors", given,
              own.size(), all.size());
        std::size_t next = given;
        for (const Parameter& p : own) checked[p.tensor.body()] = all[next++];
        std::vector<Tensor> alive;  // so that no address is used twice
        for_each_parameter(probe, [&](const std::string&, Tensor& x) {
            alive.push_back(x);
            x = checked.at(x.body());
        });
        return call(std::as_const(probe), std::vector<Tensor>(all.begin(), all.begin() + given));
    };
    return {f, std::move(xs), std::move(names)};
}

// Checks the gradients with respect to the inputs and to every parameter.
template <Module M, class Call>
GradcheckReport gradcheck_model(const M& model, const std::vector<Tensor>& inputs, Call call,
                                GradcheckOptions options = {}) {
    const ModelFunction function = as_function(model, inputs, call);
    options.names = function.names;
    return gradcheck(function.f, function.inputs, options);
}

}  // namespace heed
