// What all optimisers have in common: one update of all parameters from their gradients. The rules
// themselves are in optimisers.h.
//
//     Adam optimiser(parameters(model), {.lr = 1e-3});
//     for (...) {
//         optimiser.zero_grad();
//         backward(loss_of(model, batch));
//         optimiser.step_clipped(1);        // or step()
//     }
//
// A parameter without gradient (frozen, or not reached by this loss) is left alone. A parameter
// that no optimiser holds, because its model does not name it in visit(), is an error: if the loss
// has other parameters that are trained, the next step throws, before it changes anything. Several
// optimisers may share the parameters of a model.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "nn/module/module.h"

namespace heed {

using ParameterPredicate = std::function<bool(const Parameter&)>;

class Optimiser {
  public:
    virtual ~Optimiser() = default;

    double lr = 0;  // the learning rate; may be changed between steps

    void step();
    // One step with all gradients scaled together so that their common norm is at most max_norm,
    // like clip_grad_norm() followed by step(). The scaling happens during the update: it costs no
    // extra pass, and the gradients keep their values. Returns the norm before scaling. When that
    // norm is not finite, nothing is updated.
    double step_clipped(double max_norm);
    void zero_grad();
    int64_t steps() const { return steps_; }  // done so far
    const ParameterList& parameters() const { return parameters_; }

    // Sets a factor on the learning rate, or another weight decay, for the parameters that the
    // predicate selects. Returns how many those are.
    int scale_lr(const ParameterPredicate& which, double factor);
    int set_weight_decay(const ParameterPredicate& which, double weight_decay);

    // Saves in a safetensors file all that the next step depends on besides the parameters: momenta,
    // running means of squares, counts of updates and so the position in a schedule, the learning
    // rate with its factors, weight decays. load() restores them all. It throws when the file belongs
    // to another optimiser, to other options of its rule (momentum, betas) or to other parameters.
    void save(const std::string& path) const;
    void load(const std::string& path);

    // For checkpoints (nn/saved/saved_state.h): the parameters, what belongs to each of
    // them, and the counts of updates. The options must be the same when the state is loaded.
    template <class F>
    void visit_state(F&& f) {
        f.same("optimiser", name_ + ", " + settings_);
        f("lr", lr), f("steps", steps_);
        for (std::size_t i = 0; i < parameters_.size(); ++i) {
            const std::string& name = parameters_[i].name;
            Slot& slot = slots_[i];
            f(name, parameters_[i].tensor);
            f(name + ".updates", slot.updates), f(name + ".lr_factor", slot.lr_factor);
            f.same(name + ".weight_decay", fmt::format("{}", slot.weight_decay));
            for (std::size_t k = 0; k < slot.state.size(); ++k)
                f(name + "." + state_names_[k], slot.state[k]);
        }
    }

  protected:
    struct Slot {  // what belongs to one parameter
        double lr_factor = 1;
        double weight_decay = 0;
        int64_t updates = 0;        // so far, including the one under way
        std::vector<Tensor> state;  // one tensor of the parameter's shape for each state name
    };
    // `settings` are the options of the rule, as text.
    Optimiser(std::string name, std::vector<std::string> state_names, std::string settings,
              ParameterList parameters, double lr, double weight_decay);
    // Updates one parameter. `rate` is the learning rate with all factors; the gradient is to be
    // multiplied by grad_scale().
    virtual void update(Tensor& parameter, const Tensor& grad, double rate, Slot& slot) = 0;
    double grad_scale() const { return grad_scale_; }

  private:
    void update_all(double grad_scale);
    std::vector<Parameter> named_state() const;

    int64_t steps_ = 0;
    double grad_scale_ = 1;
    std::string name_;
    std::vector<std::string> state_names_;
    std::string settings_;
    ParameterList parameters_;
    std::vector<Slot> slots_;
};

// The common norm of all gradients, √ Σ g².
double grad_norm(const ParameterList& parameters);

// Scales all gradients together so that their common norm is at most max_norm (Pascanu, Mikolov,
// Bengio 2013, section 3.2), in place, as PyTorch's clip_grad_norm_. Returns the norm before. When
// that norm is not finite the gradients are not changed.
double clip_grad_norm(const ParameterList& parameters, double max_norm);

// Limits every element of every gradient to [-max_value, max_value], in place, as PyTorch's
// clip_grad_value_.
void clip_grad_value(const ParameterList& parameters, double max_value);

}  // namespace heed
