// Values inside a model, read and replaced by name. The model stays as it is.
//
//     // What did the second layer look at?
//     auto [y, values] = run_and_read(model, ids, {"decoder.layers.1.attention.weights"});
//     values.begin()->second;                                       // [B, H, T, T]
//
//     // What if the third head of the first layer had said nothing?
//     Tensor z = run_with(model, ids, {{"decoder.layers.0.attention.heads",
//                                       [&](const Tensor& x) { return x * all_but_the_third; }}});
//
// A name is the name of a layer, as in the model's file, and that of a value in it. '*' stands for one
// part of a name and "**" for any number of parts. value_names() lists all that a call reaches.
// Gradients flow through what a hook returns, so that it can be trained or differentiated.
//
// A layer offers a value by one line in its code: x = hook(*this, "weights", x). It finds its own name by
// its parameters: a layer without parameters has none, and layers that share all of theirs answer to the
// names of each. Without hooks in force the line costs one comparison.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "autograd/record/surroundings.h"
#include "nn/module/module.h"

namespace heed {

// What is done with the values of a name: f(x) or f(x, name). It returns what is used in place of x, or
// nothing, and then x stays.
struct Hook {
    std::string name;
    std::function<Tensor(const Tensor& x, const std::string& name)> f;

    template <class F>
    Hook(std::string of, F function) : name(std::move(of)) {
        f = [g = std::move(function)](const Tensor& x, const std::string& full) mutable {
            const auto call = [&]() -> decltype(auto) {
                if constexpr (std::is_invocable_v<F&, const Tensor&, const std::string&>)
                    return g(x, full);
                else
                    return g(x);
            };
            if constexpr (std::is_void_v<decltype(call())>) {
                call();
                return x;
            } else {
                return Tensor(call());
            }
        };
    }
};

using NamedValues = std::map<std::string, Tensor>;

namespace hooks_detail {

// The hooks in force, and the model whose names they use.
class Hooks final : public Surroundings {
  public:
    Hooks(std::vector<Hook> hooks, const std::vector<Parameter>& tensors);

    // Whether a hook waits for this value of a layer of which `first` is the first tensor.
    bool wanted(const Parameter& first, const char* value) const;
    // Calls the hooks of this value.
    Tensor call(const Parameter& first, const char* value, const Tensor& x);
    // Throws if a name was never reached, and says which were.
    void check_reached() const;

    std::vector<std::string> reached;  // the names of all values so far, without repetitions

  private:
    std::vector<std::string> names_of(const Parameter& first, const char* value) const;

    std::vector<Hook> hooks_;
    std::vector<bool> called_;
    std::multimap<const Tensor::Body*, std::string> names_;  // of the model's tensors
    bool busy_ = false;  // a hook that computes with the model is not called by itself
};

template <class Layer>
Parameter first_tensor(const Layer& layer) {
    ParameterList all = saved_tensors(layer);
    return all.empty() ? Parameter{} : all.front();
}

inline Hooks* active() { return dynamic_cast<Hooks*>(Surroundings::now()); }

}  // namespace hooks_detail

// For the code of a layer. The value x, or what a hook puts in its place.
template <class Layer>
Tensor hook(const Layer& layer, const char* value, const Tensor& x) {
    if (!Surroundings::now()) [[likely]]
        return x;
    return hooks_detail::active()->call(hooks_detail::first_tensor(layer), value, x);
}
// Whether somebody waits for this value, for a layer that has a faster way without it.
template <class Layer>
bool is_hooked(const Layer& layer, const char* value) {
    if (!Surroundings::now()) [[likely]]
        return false;
    return hooks_detail::active()->wanted(hooks_detail::first_tensor(layer), value);
}

// Calls f() with the hooks in force for this model. Throws, after the call, if it did not reach a name.
template <Module M, class F>
auto with_hooks(const M& model, std::vector<Hook> hooks, F f) {
    std::vector<Parameter> names;
    for_each_tensor(model, [&](const std::string& name, const Tensor& x) {
        names.push_back({name, x});
    });
    const auto around = std::make_shared<hooks_detail::Hooks>(std::move(hooks), names);
    const Surroundings::Within within(around);
    auto result = f();
    around->check_reached();
    return result;
}

// model(input), with hooks.
template <Module M, class Input>
auto run_with(const M& model, const Input& input, std::vector<Hook> hooks) {
    return with_hooks(model, std::move(hooks), [&] { return model(input); });
}

// model(input) and the values of these names.
template <Module M, class Input>
auto run_and_read(const M& model, const Input& input, const std::vector<std::string>& names) {
    NamedValues values;
    std::vector<Hook> hooks;
    for (const std::string& name : names)
        hooks.emplace_back(name,
                           [&](const Tensor& x, const std::string& full) { values[full] = x; });
    auto result = run_with(model, input, std::move(hooks));
    return std::pair(std::move(result), std::move(values));
}

// The names of all values that f() reaches inside the model, in the order of the first time.
template <Module M, class F>
std::vector<std::string> value_names(const M& model, F f) {
    std::vector<std::string> all;
    with_hooks(model,
               {{"**", [&](const Tensor&, const std::string& name) { all.push_back(name); }}}, [&] {
                   f();
                   return 0;
               });
    return all;
}

}  // namespace heed
