#include "nn/optim/optimiser.h"

#include <cmath>
#include <limits>

#include "autograd/base/parallel.h"
#include "autograd/base/settings.h"
#include "autograd/base/user_call.h"
#include "autograd/kernels/sums.h"
#include "autograd/ops/shape/shape_ops.h"
#include "autograd/tensor/node.h"
#include "nn/saved/safetensors.h"

namespace heed {
namespace {

// Sums chunks of fixed size and adds the sums up in double, so the result does not depend on the
// number of threads, and long tensors lose no precision. Where squares overflow or vanish in float32,
// the chunk is squared in double.
double sum_of_squares(const Tensor& x) {
    return with_dtype(x.dtype(), [&]<class T>(T) {
        const Tensor all = contiguous(x);
        const T* p = all.data<T>();
        const int64_t count = all.numel(), grain = parallel_grain;
        std::vector<double> pieces((count + grain - 1) / grain);
        parallel_for(count, grain, [&](int64_t begin, int64_t end) {
            double& piece = pieces[begin / grain];
            piece = row_sum<T>(end - begin, [&](int64_t i, auto lanes) {
                const Vec<T> v = take(p + begin + i, lanes);
                return v * v;
            });
            if (piece > 1e-30 && piece < std::numeric_limits<double>::infinity()) return;
            piece = 0;
            for (int64_t i = begin; i < end; ++i) piece += static_cast<double>(p[i]) * p[i];
        });
        double total = 0;
        for (double piece : pieces) total += piece;
        return total;
    });
}

// Replaces every element x by f(x).
template <class F>
void change_in_place(Tensor& x, const F& f) {
    check(x.is_contiguous(), "clip_grad: a gradient is a view");
    with_dtype(x.dtype(), [&]<class T>(T) {
        T* p = x.edit<T>();
        parallel_for(x.numel(), parallel_grain, [&](int64_t begin, int64_t end) {
            for (int64_t i = begin; i < end; ++i) p[i] = f(p[i]);
        });
    });
}

// A parameter whose numbers a step can change.
void check_trainable(const Parameter& p, const std::string& optimiser) {
    const auto& [name, x] = p;
    check(x.defined(), "{}: parameter '{}' is not defined", optimiser, name);
    check(x.is_contiguous(), "{}: parameter '{}' is a view", optimiser, name);
    check(x.requires_grad() || is_parameter(x),
          "{}: '{}' of shape {} takes no gradient; make it with parameter(), or declare it as a "
          "Buffer if it is not to be trained",
          optimiser, name, x.shape());
    const Node* node = x.body()->node;
    check(!node || node->is_leaf(),
          "{}: '{}' of shape {} is the result of '{}', which a step would not change; give the "
          "leaves that it is computed from, or detach() it",
          optimiser, name, x.shape(), node ? node->operation : "");
}

}  // namespace

Optimiser::Optimiser(std::string name, std::vector<std::string> state_names, std::string settings,
                     ParameterList parameters, double rate, double weight_decay)
    : lr(rate),
      name_(std::move(name)),
      state_names_(std::move(state_names)),
      settings_(std::move(settings)),
      parameters_(std::move(parameters)),
      slots_(parameters_.size()) {
    for (const Setting& s : {Setting("the learning rate", lr), {"weight_decay", weight_decay}})
        check(s.value >= 0 && std::isfinite(s.value), "{}: {} is {}; expected 0 or more, finite",
              name_, s.name, s.value);
    check(!parameters_.empty(), "{}: there are no parameters", name_);
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
        const Tensor& tensor = parameters_[i].tensor;
        check_trainable(parameters_[i], name_);
        mark_as_trained(tensor);
        slots_[i].weight_decay = weight_decay;
        for (std::size_t k = 0; k < state_names_.size(); ++k)
            slots_[i].state.push_back(zeros_like(tensor));
    }
}

void Optimiser::step() { update_all(1); }

double Optimiser::step_clipped(double max_norm) {
    check_positive("step_clipped", {{"max_norm", max_norm}});
    const double norm = grad_norm(parameters_);
    if (std::isfinite(norm)) update_all(norm > max_norm ? max_norm / norm : 1);
    return norm;
}

namespace {

// Throws if backward() has met a parameter that nobody trains.
void check_all_trained(const std::string& optimiser) {
    const std::vector<Shape> shapes = take_untrained();
    if (shapes.empty()) return;
    std::string listed = to_string(shapes[0]);
    for (std::size_t i = 1; i < shapes.size(); ++i) listed += ", " + to_string(shapes[i]);
    fail(
        "{}: the loss depends on parameters that no optimiser holds, of shape {}; they would "
        "never be trained. Name them, or their layer, in the model's visit(); or freeze() them; or "
        "give them to an optimiser",
        optimiser, listed);
}

}  // namespace

void Optimiser::update_all(double grad_scale) {
    check_all_trained(name_);
    ++steps_;
    grad_scale_ = grad_scale;
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
        Tensor& parameter = parameters_[i].tensor;
        const Tensor grad = parameter.grad();
        if (!grad.defined()) continue;
        Slot& slot = slots_[i];
        ++slot.updates;
        update(parameter, contiguous(grad), lr * slot.lr_factor, slot);
    }
}

void Optimiser::zero_grad() {
    for (Parameter& p : parameters_) p.tensor.clear_grad();
}

int Optimiser::scale_lr(const ParameterPredicate& which, double factor) {
    check(bool(which), "scale_lr: there is no predicate");
    int count = 0;
    for (std::size_t i = 0; i < parameters_.size(); ++i)
        if (which(parameters_[i])) {
            slots_[i].lr_factor = factor;
            ++count;
        }
    return count;
}

int Optimiser::set_weight_decay(const ParameterPredicate& which, double weight_decay) {
    check(bool(which), "set_weight_decay: there is no predicate");
    int count = 0;
    for (std::size_t i = 0; i < parameters_.size(); ++i)
        if (which(parameters_[i])) {
            slots_[i].weight_decay = weight_decay;
            ++count;
        }
    return count;
}

// The names and tensors of a state file. Single numbers are tensors with one element, in float64.
std::vector<Parameter> Optimiser::named_state() const {
    std::vector<Parameter> all;
    const auto add = [&](const std::string& name, double number) {
        all.push_back({name, scalar(number, Dtype::float64)});
    };
    add("lr", lr), add("steps", static_cast<double>(steps_));
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
        const std::string& name = parameters_[i].name;
        const Slot& slot = slots_[i];
        add(name + ".updates", static_cast<double>(slot.updates));
        add(name + ".lr_factor", slot.lr_factor), add(name + ".weight_decay", slot.weight_decay);
        for (std::size_t k = 0; k < state_names_.size(); ++k)
            all.push_back({name + "." + state_names_[k], slot.state[k]});
    }
    return all;
}

void Optimiser::save(const std::string& path) const {
    save_safetensors(path, {named_state(), {{"optimiser", name_}, {"options", settings_}}});
}

void Optimiser::load(const std::string& path) {
    const Safetensors file = load_safetensors(path);
    const auto same = [&](const char* key, const std::string& own) {
        const auto found = file.metadata.find(key);
        check(found != file.metadata.end(), "{}: not an optimiser's state: it has no '{}'", path,
              key);
        check(found->second == own, "{}: this is the state of {}, expected that of {}", path,
              found->second, own);
    };
    same("optimiser", name_), same("options", settings_);

    std::vector<Parameter> own = named_state();
    assign_from(file, path, own);
    std::size_t next = 0;
    const auto take = [&] { return own[next++].tensor.item(); };
    lr = take(), steps_ = static_cast<int64_t>(take());
    for (Slot& slot : slots_) {
        slot.updates = static_cast<int64_t>(take());
        slot.lr_factor = take(), slot.weight_decay = take();
        next += state_names_.size();
    }
}

double grad_norm(const ParameterList& parameters) {
    double square = 0;
    for (const Parameter& p : parameters)
        if (const Tensor grad = p.tensor.grad(); grad.defined()) square += sum_of_squares(grad);
    return std::sqrt(square);
}

double clip_grad_norm(const ParameterList& parameters, double max_norm) {
    const UserCall named("clip_grad_norm");
    check_positive("clip_grad_norm", {{"max_norm", max_norm}});
    const double norm = grad_norm(parameters);
    if (!(norm > max_norm) || !std::isfinite(norm)) return norm;
    const double factor = max_norm / norm;
    for (const Parameter& p : parameters)
        if (Tensor grad = p.tensor.grad(); grad.defined())
            change_in_place(grad, [=]<class T>(T g) { return g * static_cast<T>(factor); });
    return norm;
}

void clip_grad_value(const ParameterList& parameters, double max_value) {
    const UserCall named("clip_grad_value");
    check_positive("clip_grad_value", {{"max_value", max_value}});
    for (const Parameter& p : parameters)
        if (Tensor grad = p.tensor.grad(); grad.defined())
            change_in_place(grad, [=]<class T>(T g) {  // NaN stays NaN
                const T high = static_cast<T>(max_value);
                return g > high ? high : g < -high ? -high : g;
            });
}

}  // namespace heed
