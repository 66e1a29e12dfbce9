#include "nn/optim/optimisers.h"

#include <cmath>

#include "autograd/base/parallel.h"
#include "autograd/base/settings.h"
#include "autograd/kernels/vec.h"

namespace heed {
namespace {

// --- the rules -----------------------------------------------------------------------------------
// Each takes one vector register of parameters p, of their gradients g and of each state tensor,
// and changes p and the states.

struct SgdRule {
    double rate, momentum, decay;
    bool nesterov;
    template <class V>
    void operator()(V& p, V g) const {
        p -= rate * (g + decay * p);
    }
    template <class V>
    void operator()(V& p, V g, V& v) const {
        g += decay * p;
        v = momentum * v + g;
        p -= rate * (nesterov ? g + momentum * v : v);
    }
};

// `decay` is weight decay as part of the gradient (Adam); `shrink` multiplies p on its own (AdamW).
// The corrections 1 / (1 - βᵗ) are part of `step` and of `root_scale`, the factor on √v.
struct AdamRule {
    double step, root_scale, beta1, beta2, eps, decay, shrink;
    template <class V>
    void operator()(V& p, V g, V& m, V& v) const {
        g += decay * p;
        m = beta1 * m + (1 - beta1) * g;
        v = beta2 * v + (1 - beta2) * g * g;
        p = shrink * p - step * m / (sqrt(v) * root_scale + eps);
    }
};

struct RmsPropRule {
    double rate, alpha, eps, momentum, decay;
    template <class V>
    void operator()(V& p, V g, V& v, V& b) const {
        g += decay * p;
        v = alpha * v + (1 - alpha) * g * g;
        b = momentum * b + g / (sqrt(v) + eps);
        p -= rate * b;
    }
    template <class V>
    void operator()(V& p, V g, V& v) const {
        V b(0);
        (*this)(p, g, v, b);
    }
};

// rule(p, scale g, states...) over all elements in one pass.
template <class Rule, class... States>
void update_in_place(const Rule& rule, Tensor& parameter, const Tensor& grad, double scale,
                     States&... states) {
    with_dtype(parameter.dtype(), [&]<class T>(T) {
        const auto pass = [&](T* p, const T* g, auto*... s) {
            constexpr int64_t lanes = Vec<T>::lanes;
            // A whole register at i, or its first n lanes.
            const auto some = [&](int64_t i, int64_t n) {
                const auto load = [&](const T* from) {
                    return n == lanes ? Vec<T>::load(from + i) : Vec<T>::load(from + i, n);
                };
                const auto store = [&](Vec<T> v, T* to) {
                    n == lanes ? v.store(to + i) : v.store(to + i, n);
                };
                auto vp = load(p);
                [&](auto... vs) {
                    rule(vp, scale * load(g), vs...);
                    (store(vs, s), ...);
                }(load(s)...);
                store(vp, p);
            };
            parallel_for(parameter.numel(), parallel_grain, [&](int64_t begin, int64_t end) {
                int64_t i = begin;
                for (; i + lanes <= end; i += lanes) some(i, lanes);
                if (i < end) some(i, end - i);
            });
        };
        pass(parameter.edit<T>(), grad.data<T>(), states.template edit<T>()...);
    });
}

}  // namespace

// --- the optimisers -----------------------------------------------------------------------------

Sgd::Sgd(ParameterList all, const SgdOptions& options)
    : Optimiser(
          "sgd",
          options.momentum != 0 ? std::vector<std::string>{"velocity"} : std::vector<std::string>{},
          fmt::format("momentum {}, nesterov {}", options.momentum, options.nesterov),
          std::move(all), options.lr, options.weight_decay),
      options_(options) {
    check_rate("sgd", {{"momentum", options.momentum}});
    check(!options.nesterov || options.momentum > 0, "sgd: nesterov needs a momentum above 0");
}

void Sgd::update(Tensor& parameter, const Tensor& grad, double rate, Slot& slot) {
    const SgdRule rule{rate, options_.momentum, slot.weight_decay, options_.nesterov};
    if (slot.state.empty())
        update_in_place(rule, parameter, grad, grad_scale());
    else
        update_in_place(rule, parameter, grad, grad_scale(), slot.state[0]);
}

namespace {

void check_eps(const char* name, double eps) {
    check(eps >= 0 && std::isfinite(eps), "{}: eps is {}; expected 0 or more, finite", name, eps);
}

template <class Options>
void check_adam(const char* name, const Options& options) {
    check_rate(name, {{"beta1", options.beta1}, {"beta2", options.beta2}});
    check_eps(name, options.eps);
}

template <class Options>
std::string adam_settings(const Options& options) {
    return fmt::format("beta1 {}, beta2 {}, eps {}", options.beta1, options.beta2, options.eps);
}

AdamRule adam_rule(double rate, double beta1, double beta2, double eps, int64_t t) {
    const double correction1 = 1 - std::pow(beta1, t), correction2 = 1 - std::pow(beta2, t);
    return {rate / correction1, 1 / std::sqrt(correction2), beta1, beta2, eps, 0, 1};
}

}  // namespace

Adam::Adam(ParameterList all, const AdamOptions& options)
    : Optimiser("adam", {"mean", "square"}, adam_settings(options), std::move(all), options.lr,
                options.weight_decay),
      options_(options) {
    check_adam("adam", options);
}

void Adam::update(Tensor& parameter, const Tensor& grad, double rate, Slot& slot) {
    AdamRule rule = adam_rule(rate, options_.beta1, options_.beta2, options_.eps, slot.updates);
    rule.decay = slot.weight_decay;
    update_in_place(rule, parameter, grad, grad_scale(), slot.state[0], slot.state[1]);
}

AdamW::AdamW(ParameterList all, const AdamWOptions& options)
    : Optimiser("adamw", {"mean", "square"}, adam_settings(options), std::move(all), options.lr,
                options.weight_decay),
      options_(options) {
    check_adam("adamw", options);
    if (options.decays)  //
        set_weight_decay([&](const Parameter& p) { return !options.decays(p); }, 0);
}

void AdamW::update(Tensor& parameter, const Tensor& grad, double rate, Slot& slot) {
    AdamRule rule = adam_rule(rate, options_.beta1, options_.beta2, options_.eps, slot.updates);
    rule.shrink = 1 - rate * slot.weight_decay;
    update_in_place(rule, parameter, grad, grad_scale(), slot.state[0], slot.state[1]);
}

RmsProp::RmsProp(ParameterList all, const RmsPropOptions& options)
    : Optimiser("rmsprop",
                options.momentum != 0 ? std::vector<std::string>{"square", "velocity"}
                                      : std::vector<std::string>{"square"},
                fmt::format("alpha {}, eps {}, momentum {}", options.alpha, options.eps,
                            options.momentum),
                std::move(all), options.lr, options.weight_decay),
      options_(options) {
    check_rate("rmsprop", {{"alpha", options.alpha}, {"momentum", options.momentum}});
    check_eps("rmsprop", options.eps);
}

void RmsProp::update(Tensor& parameter, const Tensor& grad, double rate, Slot& slot) {
    const RmsPropRule rule{rate, options_.alpha, options_.eps, options_.momentum,
                           slot.weight_decay};
    if (slot.state.size() == 1)
        update_in_place(rule, parameter, grad, grad_scale(), slot.state[0]);
    else
        update_in_place(rule, parameter, grad, grad_scale(), slot.state[0], slot.state[1]);
}

}  // namespace heed
