// Which parameters weight decay applies to. Decay pulls numbers towards 0. That is sensible for the
// weights of products, and not for the scales and biases of layers. Three rules are in use:
//
//     AdamW a(all, {.weight_decay = 0.1});                                    // all, as in PyTorch
//     AdamW b(all, {.weight_decay = 0.1, .decays = has_two_axes});            // as in nanoGPT
//     AdamW c(all, {.weight_decay = 0.1, .decays = product_weights(model)});  // as in minGPT
//
// where `all` is parameters(model). The second rule also decays embedding tables, because they are
// matrices too; the third does not. For other optimisers:
// adam.set_weight_decay(product_weights(model), 0.1).
#pragma once

#include <algorithm>
#include <concepts>
#include <optional>
#include <type_traits>

#include "nn/layers/layers.h"
#include "nn/optim/optimiser.h"

namespace heed {

// Parameters with two or more axes: weights of products, and embedding tables.
inline bool has_two_axes(const Parameter& p) { return p.tensor.dim() >= 2; }

namespace weight_decay_detail {

// A layer that looks rows up in a table: Embedding, and any layer with a member
// `static constexpr bool is_embedding = true`.
template <class Layer>
constexpr bool looks_up() {
    if constexpr (requires { Layer::is_embedding; })
        return Layer::is_embedding;
    else
        return std::is_same_v<Layer, Embedding>;
}

// Goes through a model as module.h's visitor does, and collects tensors: all of them inside an
// embedding, none elsewhere.
struct Tables {
    std::vector<Tensor>& found;
    bool inside = false;

    template <class T, class... More>
    void operator()(const std::string& name, T& x, More&&...) const {
        if constexpr (std::is_same_v<T, Tensor>) {
            if (inside && x.defined()) found.push_back(x);
        } else if constexpr (requires { x.visit(*this); }) {
            x.visit(Tables{found, inside || looks_up<T>()});
        } else if constexpr (requires { x.has_value(); }) {
            if (x) (*this)(name, *x);
        } else if constexpr (requires { x.begin(); }) {
            for (auto& element : x) (*this)(name, element);
        }
    }
};

}  // namespace weight_decay_detail

// The weights of products: parameters with two or more axes that are not embedding tables. A tensor
// that is both an embedding table and an output layer's weight (tied weights) counts as a table and
// does not decay, as in minGPT. The predicate is for the parameters this model has now.
template <Module M>
ParameterPredicate product_weights(const M& model) {
    std::vector<Tensor> tables;
    using Layer = std::remove_const_t<M>;
    weight_decay_detail::Tables visitor{tables, weight_decay_detail::looks_up<Layer>()};
    const_cast<Layer&>(model).visit(visitor);  // it only reads
    return [tables](const Parameter& p) {
        return has_two_axes(p) && std::none_of(tables.begin(), tables.end(), [&](const Tensor& x) {
                   return x.body() == p.tensor.body();
               });
    };
}

}  // namespace heed
