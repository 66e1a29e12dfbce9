// What changes while a model is trained, so that training can go on later with the same numbers:
// generators, positions in the data, moments of the optimiser, averages, and numbers of one's own.
//
//     Rng rng(1);
//     DataLoader batches(data, {.shuffle = true}, rng);
//     std::vector<double> curve;
//     std::vector<SavedState> all{model, optimiser, rng, batches, curve};
//
//     const NamedState now = collect(all);      // copies of everything
//     ...
//     restore(all, now, "here");                // everything is as it was at collect()
//
// A SavedState refers to a variable, which must outlive it. It can be
//   - a number (also bool), a std::vector of double or int, a std::string, a Tensor;
//   - a model, of which all parameters and buffers are saved;
//   - any type that names its variables in one line, as models do in visit():
//
//         template <class F> void visit_state(F&& f) { f("value", value), f("begun", begun); }
//
//     Rng, DataLoader, BatchStream, AverageOfWeights, EarlyStopping, MovingAverage and all
//     optimisers have one. An optimiser includes its parameters. f.same("width", text) saves a
//     text and, when the state is restored, throws if it is another one.
//
// The same line collects and restores, so the two cannot disagree. Every number is restored to the
// bit.
#pragma once

#include <concepts>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "nn/module/module.h"

namespace heed {

// Copies of variables under their names: "1.epoch" is the variable "epoch" of the second
// SavedState.
struct NamedState {
    std::map<std::string, Tensor> tensors;
    std::map<std::string, std::string> texts;
};

class StateVisitor;

template <class T>
concept HasState = requires(T& thing, StateVisitor& visitor) {
    thing.visit_state(visitor);
};

// What visit_state() gets: it either collects the variables it is given, or restores them.
class StateVisitor {
  public:
    void operator()(const std::string& name, Tensor& x);
    void operator()(const std::string& name, bool& x);
    void operator()(const std::string& name, std::string& x);
    void operator()(const std::string& name, std::vector<double>& x);
    void operator()(const std::string& name, std::vector<int>& x);
    void operator()(const std::string& name, std::vector<std::vector<int>>& x);

    template <class T>
    requires std::is_arithmetic_v<T>
    void operator()(const std::string& name, T& x) {
        if constexpr (std::is_floating_point_v<T>)
            x = static_cast<T>(real(name, x));
        else if constexpr (std::is_signed_v<T>)
            x = static_cast<T>(whole(name, x));
        else
            x = static_cast<T>(natural(name, x));
    }
    template <HasState T>
    void operator()(const std::string& name, T& thing) {
        const std::string outer = std::exchange(prefix_, prefix_ + name + ".");
        thing.visit_state(*this);
        prefix_ = outer;
    }
    // clang-format 14 does not know such a requirement.
    // clang-format off
    template <class M>
        requires(Module<M> && !HasState<M>)
    void operator()(const std::string& name, M& model) {
        for (Parameter& p : saved_tensors(model)) (*this)(name + "." + p.name, p.tensor);
    }
    // clang-format on

    // Saves the text; throws if it is to be restored and differs from the saved one.
    void same(const std::string& name, const std::string& text);

  private:
    friend NamedState collect(const std::vector<class SavedState>& all);
    friend void restore(const std::vector<SavedState>& all, const NamedState& from,
                        const std::string& source);
    friend bool includes(const std::vector<SavedState>& all, const Tensor& x);

    const std::string& new_name(const std::string& name);
    std::string described(const std::string& name) const;
    const std::string& text(const std::string& name) const;
    const Tensor& tensor(const std::string& name) const;
    double real(const std::string& name, double x);
    int64_t whole(const std::string& name, int64_t x);
    uint64_t natural(const std::string& name, uint64_t x);

    NamedState collected_;
    const NamedState* from_ = nullptr;  // null: collecting
    std::string prefix_, source_;
    std::set<std::string> names_;  // collected
    std::set<const Tensor::Body*> seen_;
    std::set<const Storage*> numbers_;
    std::size_t restored_ = 0;  // how many variables so far
};

class SavedState {
  public:
    // clang-format off
    template <class T>
        requires(!std::same_as<std::remove_const_t<T>, SavedState>)
    SavedState(T& thing)
        : visit_([&thing](StateVisitor& visitor, const std::string& name) {
              visitor(name, thing);
          }) {}
    // clang-format on

    void visit(StateVisitor& visitor, const std::string& name) const { visit_(visitor, name); }

  private:
    std::function<void(StateVisitor&, const std::string&)> visit_;
};

// Copies of all variables. A later change of a variable does not change them. Throws if two variables
// have the same name.
NamedState collect(const std::vector<SavedState>& all);

// Gives all variables their values of collect(). Throws heed::Error, with `source` in front, if a
// variable is missing, is left over, or has another shape; some variables are restored then.
void restore(const std::vector<SavedState>& all, const NamedState& from, const std::string& source);

// Whether the numbers of x are those of one of the tensors.
bool includes(const std::vector<SavedState>& all, const Tensor& x);

}  // namespace heed
