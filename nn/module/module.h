// What can be done with any model, by way of the one line it provides.
//
// A layer is a struct of tensors and other layers, and `visit` names them:
//
//     struct Head {
//         Linear hidden, output;
//         template <class F> void visit(F&& f) { f("hidden", hidden); f("output", output); }
//     };
//
// No base class, no macro, no registration. The names of the parameters follow: "hidden.weight",
// "hidden.bias", ...; a vector of layers counts, "layers.0.weight". They are the names in the file.
// Tensors that are not defined (a layer without bias) are passed over.
//
// A tensor is a handle: copying a struct copies handles, and both structs share their parameters.
// That is how weights are tied. copy_model(model) makes parameters of its own.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "autograd/ops/copies.h"
#include "autograd/tensor/tensor.h"

namespace heed {

struct Parameter {
    std::string name;
    Tensor tensor;
};

namespace module_detail {

// Passes every defined tensor to fn(name, tensor), going down into nested layers.
template <class F>
struct Visitor {
    F& fn;
    std::string prefix;

    void operator()(const std::string& name, Tensor& x) const {
        if (x.defined()) fn(prefix + name, x);
    }
    template <class Layer>
    void operator()(const std::string& name, Layer& layer) const {
        layer.visit(Visitor{fn, prefix + name + "."});
    }
    template <class Layer>
    void operator()(const std::string& name, std::vector<Layer>& layers) const {
        const Visitor inner{fn, prefix + name + "."};
        for (std::size_t i = 0; i < layers.size(); ++i) inner(std::to_string(i), layers[i]);
    }
    template <class Layer>
    void operator()(const std::string& name, std::optional<Layer>& layer) const {
        if (layer) (*this)(name, *layer);
    }
};

struct AnyVisitor {
    template <class T>
    void operator()(const std::string&, T&) const {}
};

}  // namespace module_detail

template <class M>
concept Module = requires(std::remove_const_t<M>& model, module_detail::AnyVisitor visitor) {
    model.visit(visitor);
};

// fn(name, Tensor&) for every parameter, in the order of the visits. A tied tensor comes once for
// each of its names. For a const model fn gets const Tensor&.
template <Module M, class F>
void for_each_parameter(M& model, F&& fn) {
    if constexpr (std::is_const_v<M>) {
        auto read_only = [&](const std::string& name, const Tensor& x) { fn(name, x); };
        const module_detail::Visitor<decltype(read_only)> visitor{read_only, ""};
        const_cast<std::remove_const_t<M>&>(model).visit(visitor);  // it only reads
    } else {
        model.visit(module_detail::Visitor<std::remove_reference_t<F>>{fn, ""});
    }
}

// All parameters, each once: a tied tensor stands under the first of its names.
template <Module M>
std::vector<Parameter> parameters(const M& model) {
    std::vector<Parameter> all;
    std::map<const Tensor::Body*, bool> seen;
    for_each_parameter(model, [&](const std::string& name, const Tensor& x) {
        if (!std::exchange(seen[x.body()], true)) all.push_back({name, x});
    });
    return all;
}

// How many numbers there are to learn.
template <Module M>
int64_t parameter_count(const M& model) {
    int64_t count = 0;
    for (const Parameter& p : parameters(model)) count += p.tensor.numel();
    return count;
}

template <Module M>
void zero_grad(M& model) {
    for_each_parameter(model, [](const std::string&, Tensor& x) { x.clear_grad(); });
}

// A frozen parameter gets no gradient, and optimisers leave it alone.
template <Module M>
void freeze(M& model) {
    for_each_parameter(model, [](const std::string&, Tensor& x) { x.set_requires_grad(false); });
}
template <Module M>
void unfreeze(M& model) {
    for_each_parameter(model, [](const std::string&, Tensor& x) { x.set_requires_grad(); });
}

// Replaces every parameter by change(parameter), a constant; what was tied stays tied, what was
// frozen stays frozen.
template <Module M, class Change>
void replace_parameters(M& model, Change change) {
    std::map<const Tensor::Body*, Tensor> replaced;
    std::vector<Tensor> alive;  // so that no address is used twice
    for_each_parameter(model, [&](const std::string&, Tensor& x) {
        alive.push_back(x);
        Tensor& y = replaced[x.body()];
        if (!y.defined()) {
            y = change(x);
            if (x.requires_grad()) y.set_requires_grad();
        }
        x = y;
    });
}

// Converts the model in place, for example to float64 for a gradient check. The parameters become
// new tensors: make the optimiser afterwards.
template <Module M>
void to_dtype(M& model, Dtype dtype) {
    replace_parameters(model, [dtype](const Tensor& x) { return to_dtype(detach(x), dtype); });
}

// The same model with parameters of its own.
template <Module M>
M copy_model(const M& model) {
    M result = model;
    replace_parameters(result, [](const Tensor& x) { return copy_of(x); });
    return result;
}

}  // namespace heed
