// Low-rank adapters: a trained model is changed a little, by few parameters (LoRA; Hu et al. 2022,
// section 4.1). The weight W of a Linear layer stays as it is, and a product of two narrow matrices is
// added to it:
//
//     y = x (W + (α/r) B A)ᵀ + b          A [r, In], B [Out, r]
//
// B is zero at first, so the model computes what it computed before. The rank r is small: a layer of
// width 4096 has 16.8 million weights, and adapters of rank 4 for it have 32,768 parameters.
//
//     add_adapters(model, {.rank = 4, .only = {"query", "value"}}, rng);
//     Adam adam(parameters(model), {.lr = 1e-3});    // trains the adapters; all else is frozen
//     ...
//     save_adapters(model, "adapters.safetensors");  // a small file
//     merge_adapters(model);                         // W + (α/r) B A is the weight from now on
//
// Adapters are parameters like others: "layers.0.attention.query.adapter.down" (A) and ".up" (B). They
// work in every layer that calls its Linear.
#pragma once

#include <string>
#include <vector>

#include "nn/layers/linear.h"
#include "nn/module/module.h"
#include "nn/saved/safetensors.h"

namespace heed {

struct AdapterOptions {
    int64_t rank = 4;  // r
    double alpha = 0;  // α; 0: as large as the rank, so that α/r = 1
    // Which Linear layers, by the last part of their names; empty: all.
    std::vector<std::string> only = {};
};

namespace adapters_detail {

struct NamedLinear {
    std::string name;
    Linear* layer = nullptr;
};

void add(const std::vector<NamedLinear>& all, const AdapterOptions& options, Rng& rng);
// `owners` are the names of all tensors of the model: a weight with two names is refused.
void merge(const std::vector<NamedLinear>& all, const std::vector<Parameter>& owners);
void remove(const std::vector<NamedLinear>& all);
std::vector<Parameter> tensors(const std::vector<NamedLinear>& all, const char* function);

template <Module M>
std::vector<NamedLinear> linears(M& model) {
    std::vector<NamedLinear> all;
    for_each_layer<Linear>(model, [&](const std::string& name, Linear& layer) {
        all.push_back({name, &layer});
    });
    return all;
}

}  // namespace adapters_detail

// Freezes the model and gives its layers adapters: A normal with variance 1/In, B zero. Throws, and
// changes nothing, when no layer has one of the names, one has an adapter already, or the rank is larger
// than one of the layer's widths.
template <Module M>
void add_adapters(M& model, const AdapterOptions& options, Rng& rng) {
    adapters_detail::add(adapters_detail::linears(model), options, rng);
    const auto is_new = [](const std::string& name) {
        return name.ends_with(".adapter.down") || name.ends_with(".adapter.up");
    };
    for_each_parameter(model, [&](const std::string& name, Tensor& x) {
        if (!is_new(name)) x.set_requires_grad(false);
    });
}

// Puts every adapter into the weight of its layer, W + (α/r) B A, and takes it away. The weights stay
// frozen; unfreeze(model) trains them again. Throws without adapters, and for a weight that is tied to
// another layer, which would change with it.
template <Module M>
void merge_adapters(M& model) {
    std::vector<Parameter> owners;
    for_each_parameter(model, [&](const std::string& name, Tensor& x) {
        owners.push_back({name, x});
    });
    adapters_detail::merge(adapters_detail::linears(model), owners);
}

// Takes every adapter away: the model is again what it was, and frozen. Throws without adapters.
template <Module M>
void remove_adapters(M& model) {
    adapters_detail::remove(adapters_detail::linears(model));
}

// The adapters alone, to a file and from it into a model that has adapters of the same names and ranks.
// The scale α/r is not in the file; it comes from add_adapters().
template <Module M>
void save_adapters(const M& model, const std::string& path) {
    M copy = model;  // shares its tensors; for_each_layer wants one that may change
    save_safetensors(
        path, {adapters_detail::tensors(adapters_detail::linears(copy), "save_adapters"), {}});
}
template <Module M>
void load_adapters(M& model, const std::string& path) {
    assign_from(load_safetensors(path), path,
                adapters_detail::tensors(adapters_detail::linears(model), "load_adapters"),
                Numbers::finite);
}

}  // namespace heed
