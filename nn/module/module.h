// What can be done with any model, by way of the one line it provides.
//
// A layer is a struct of tensors and other layers, and `visit` names them:
//
//     struct Head {
//         Linear hidden, output;
//         Tensor scale;                    // made with parameter(...): trained
//         Buffer mean;                     // saved with the model, not trained
//         void visit(auto&& f) {
//             f("hidden", hidden), f("output", output), f("scale", scale), f("mean", mean);
//         }
//     };
//
// No base class, no macro, no registration. The names of the parameters follow: "hidden.weight",
// "hidden.bias", ...; a vector of layers counts, "layers.0.weight". They are the names in the file.
// Tensors that are not defined (a layer without bias) are passed over.
//
// A layer that visit() forgets is noticed: the first step of the optimiser throws, because the loss
// has a parameter that no optimiser holds, and so does gradcheck_model().
//
// A tensor is a handle: copying a struct copies handles, and both structs share their parameters.
// That is how weights are tied. copy_model(model) makes parameters of its own.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

#include "autograd/backward/untrained.h"
#include "autograd/ops/elementwise/copies.h"
#include "autograd/ops/product/quantised_matrix.h"
#include "autograd/tensor/buffers.h"
#include "autograd/tensor/tensor.h"

namespace heed {

// A tensor that is to be trained: the same one, with its gradient wanted. It must reach an optimiser
// by way of visit(); or be frozen, see freeze().
inline Tensor parameter(Tensor x) {
    mark_as_parameter(x);
    return x.set_requires_grad();
}

// A tensor that belongs to a model and to its file but is not trained, such as a running mean. A layer
// changes it by assign() or edit(): mean.assign(mean * 0.9 + now * 0.1).
struct Buffer : Tensor {
    Buffer() = default;
    Buffer(const Buffer&) = default;
    Buffer(Buffer&&) noexcept = default;
    Buffer(Tensor x) : Tensor(std::move(x)) {
        if (defined()) mark_as_buffer(*this);
    }
    Buffer& operator=(Buffer other) {
        const bool another = defined() && body() != other.body();
        Tensor::operator=(std::move(other));
        if (another) note_replaced_buffer(*this);
        return *this;
    }
};

struct Parameter {
    std::string name;
    Tensor tensor;
};

// Parameters in which each tensor stands once, under the first of its names. Whatever does something to
// all parameters of a list takes it as this, so that a tied tensor is not updated, counted or exchanged
// twice. Throws for two tensors with the same numbers, of which one was made by detach().
struct ParameterList : std::vector<Parameter> {
    ParameterList() = default;
    ParameterList(const std::vector<Parameter>& all) {
        std::map<const unsigned char*, const Parameter*> seen;  // by the first number
        for (const Parameter& p : all) {
            const bool empty = !p.tensor.defined() || p.tensor.numel() == 0;
            const auto [found, is_new] =
                empty ? std::pair(seen.end(), true) : seen.emplace(p.tensor.body()->bytes, &p);
            if (is_new)
                push_back(p);
            else
                check(found->second->tensor.body() == p.tensor.body(),
                      "'{}' and '{}' are two tensors with the same numbers; give one of them, or a "
                      "copy, copy_of(x)",
                      found->second->name, p.name);
        }
    }
    ParameterList(std::initializer_list<Parameter> all)
        : ParameterList(std::vector<Parameter>(all)) {}
};

namespace module_detail {

[[noreturn]] inline void refuse_quantised(const std::string& name, const QuantisedMatrix& w) {
    fail(
        "'{}' is quantised ({}): it is for decoding, and cannot be trained, saved, copied or counted; "
        "do that with the model that it was made of",
        name, name_of(w.format()));
}

// Passes every defined tensor to fn(name, tensor), going down into nested layers. fn takes a Tensor&
// for a parameter and a Buffer& for a buffer.
template <class F>
struct Visitor {
    F& fn;
    std::string prefix;

    void operator()(const std::string& name, Tensor& x) const {
        if (x.defined()) fn(prefix + name, x);
    }
    void operator()(const std::string& name, Buffer& x) const {
        if (x.defined()) fn(prefix + name, x);
    }
    // A quantised weight is not a parameter. A model that has one cannot list its parameters: this throws.
    void operator()(const std::string& name, QuantisedMatrix& w) const {
        if (w.defined()) refuse_quantised(prefix + name, w);
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

// Passes every layer to found(name, type, address), the outer before the inner.
template <class F>
struct LayerVisitor {
    F& found;
    std::string prefix;

    void operator()(const std::string&, Tensor&) const {}
    void operator()(const std::string&, Buffer&) const {}
    void operator()(const std::string&, QuantisedMatrix&) const {}
    template <class Layer>
    void operator()(const std::string& name, Layer& layer) const {
        found(prefix + name, typeid(Layer), &layer);
        layer.visit(LayerVisitor{found, prefix + name + "."});
    }
    template <class Layer>
    void operator()(const std::string& name, std::vector<Layer>& layers) const {
        const LayerVisitor inner{found, prefix + name + "."};
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

namespace module_detail {

// Calls f(name, tensor) for what is wanted: parameters, buffers or both.
template <class F, bool parameters, bool buffers>
struct Filter {
    F& f;
    void operator()(const std::string& name, Tensor& x) const {
        if constexpr (parameters) f(name, x);
    }
    void operator()(const std::string& name, Buffer& x) const {
        if constexpr (buffers) f(name, static_cast<Tensor&>(x));
    }
};

template <bool parameters, bool buffers, class M, class F>
void for_each(M& model, F& fn) {
    if constexpr (std::is_const_v<M>) {
        auto read_only = [&](const std::string& name, const Tensor& x) { fn(name, x); };
        for_each<parameters, buffers>(const_cast<std::remove_const_t<M>&>(model), read_only);
    } else {
        Filter<F, parameters, buffers> filter{fn};
        model.visit(Visitor<decltype(filter)>{filter, ""});
    }
}

template <bool with_parameters, bool with_buffers, class M>
ParameterList listed(const M& model) {
    std::vector<Parameter> all;
    const auto add = [&](const std::string& name, const Tensor& x) { all.push_back({name, x}); };
    for_each<with_parameters, with_buffers>(model, add);
    return all;
}

}  // namespace module_detail

// fn(name, Tensor&) for every parameter, in the order of the visits; for every buffer; for both, which
// is what a file holds. A tied tensor comes once for each of its names. For a const model fn gets
// const Tensor&.
template <Module M, class F>
void for_each_parameter(M& model, F&& fn) {
    module_detail::for_each<true, false>(model, fn);
}
template <Module M, class F>
void for_each_buffer(M& model, F&& fn) {
    module_detail::for_each<false, true>(model, fn);
}
template <Module M, class F>
void for_each_tensor(M& model, F&& fn) {
    module_detail::for_each<true, true>(model, fn);
}

// fn(name, Layer&) for every layer of one type, such as for_each_layer<Linear>(model, ...), wherever it
// stands: "layers.0.attention.query". The model itself is none of its layers. In a Sequential too. Layers
// that are not defined (the gate of a network without one) are passed over.
template <class Layer, Module M, class F>
requires(!std::is_const_v<M>) void for_each_layer(M& model, F&& fn) {
    const auto wanted = [&](const std::string& name, const std::type_info& type, void* layer) {
        if (type != typeid(Layer)) return;
        auto& found = *static_cast<Layer*>(layer);
        if constexpr (requires { found.defined(); })
            if (!found.defined()) return;
        fn(name, found);
    };
    model.visit(module_detail::LayerVisitor<decltype(wanted)>{wanted, ""});
}

// The same as lists, each tensor once.
template <Module M>
ParameterList parameters(const M& model) {
    return module_detail::listed<true, false>(model);
}
template <Module M>
ParameterList buffers(const M& model) {
    return module_detail::listed<false, true>(model);
}
template <Module M>
ParameterList saved_tensors(const M& model) {
    return module_detail::listed<true, true>(model);
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
    for_each_parameter(model, [](const std::string&, Tensor& x) { x = parameter(x); });
}

namespace module_detail {

// Replaces tensors by change(tensor), a constant or the same tensor. What was tied stays tied;
// parameters stay parameters, frozen ones frozen.
template <bool parameters, bool buffers, class M, class Change>
void replace(M& model, Change change) {
    std::map<const Tensor::Body*, Tensor> replaced;
    std::vector<Tensor> alive;  // so that no address is used twice
    const auto replace_one = [&](const std::string&, Tensor& x) {
        alive.push_back(x);
        Tensor& y = replaced[x.body()];
        if (!y.defined()) {
            y = change(x);
            if (is_parameter(x)) mark_as_parameter(y);
            if (is_buffer(x)) mark_as_buffer(y);
            if (x.requires_grad()) y.set_requires_grad();
        }
        x = y;
    };
    for_each<parameters, buffers>(model, replace_one);
}

}  // namespace module_detail

// Replaces every parameter by change(parameter), a constant; what was tied stays tied, what was
// frozen stays frozen.
template <Module M, class Change>
void replace_parameters(M& model, Change change) {
    module_detail::replace<true, false>(model, change);
}

// Converts the model in place, buffers included, for example to float64 for a gradient check. The
// parameters become new tensors: make the optimiser afterwards. Tensors that have this dtype already
// stay as they are.
template <Module M>
void to_dtype(M& model, Dtype dtype) {
    module_detail::replace<true, true>(model, [dtype](const Tensor& x) {
        return x.dtype() == dtype ? x : to_dtype(detach(x), dtype);
    });
}

// The same model with parameters and buffers of its own.
template <Module M>
M copy_model(const M& model) {
    M result = model;
    module_detail::replace<true, true>(result, [](const Tensor& x) { return copy_of(x); });
    return result;
}

}  // namespace heed
