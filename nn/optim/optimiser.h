// What all optimisers share: one update of all parameters from their gradients. The rules
// themselves are in optimisers.h.
//
//     Adam optimiser(parameters(model), {.lr = 1e-3});
//     for (...) {
//         backward(loss);
//         optimiser.step_clipped(1);        // or step()
//         optimiser.zero_grad();
//     }
//
// A parameter without gradient (frozen, or not reached by this loss) is left alone. A parameter that
// no optimiser holds, because its model does not name it in visit(), is an error: if the loss has
// other parameters that are trained, the next step throws, before it changes anything. Several
// optimisers may share the parameters of a model.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "nn/module/module.h"

namespace heed {

using ParameterPredicate = std::function<bool(const Parameter&)>;

// Weights of products, as opposed to biases and the scales of normalisation.
inline bool is_matrix(const Parameter& p) { return p.tensor.dim() >= 2; }

class Optimiser {
  public:
    virtual ~Optimiser() = default;

    double lr;  // the learning rate; may be changed between steps

    void step();
    // The same, with all gradients scaled together so that their common norm is at most max_norm,
    // on the way: not a pass of its own over them as clip_grad_norm() is, and it leaves them as
    // they are. Returns the norm before; when it is not finite nothing is updated.
    double step_clipped(double max_norm);
    void zero_grad();
    int64_t steps() const { return steps_; }  // done so far
    const std::vector<Parameter>& parameters() const { return parameters_; }

    // For the parameters the predicate picks: a factor on the learning rate, and a weight decay of
    // their own. Returns how many there were.
    int scale_lr(const ParameterPredicate& which, double factor);
    int set_weight_decay(const ParameterPredicate& which, double weight_decay);

    // What it remembers (momenta and the like) and the count of steps, in a safetensors file.
    // load() throws when the file is for another optimiser or other parameters.
    void save(const std::string& path) const;
    void load(const std::string& path);

  protected:
    struct Slot {
        double lr_factor = 1;
        double weight_decay = 0;
        int64_t updates = 0;         // so far, this one included
        std::vector<Tensor> memory;  // one tensor of the parameter's shape for each name
    };
    Optimiser(std::string name, std::vector<std::string> memory_names,
              std::vector<Parameter> parameters, double lr, double weight_decay);
    // Updates one parameter; rate is the learning rate with all factors. The gradient counts
    // grad_scale() times.
    virtual void update(Tensor& parameter, const Tensor& grad, double rate, Slot& slot) = 0;
    double grad_scale() const { return grad_scale_; }

  private:
    void update_all(double grad_scale);
    std::vector<Parameter> named_memory() const;

    int64_t steps_ = 0;
    double grad_scale_ = 1;
    std::string name_;
    std::vector<std::string> memory_names_;
    std::vector<Parameter> parameters_;
    std::vector<Slot> slots_;
};

// The common norm of all gradients, √ Σ g².
double grad_norm(const std::vector<Parameter>& parameters);

// Scales all gradients together so that their common norm is at most max_norm (Pascanu, Mikolov,
// Bengio 2013, section 3.2). Returns the norm before. A norm that is not finite leaves the
// gradients alone.
double clip_grad_norm(const std::vector<Parameter>& parameters, double max_norm);

}  // namespace heed
