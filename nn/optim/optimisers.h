// The rules: stochastic gradient descent, Adam, AdamW, RMSprop. All are used alike, see
// optimiser.h. In the formulas g is the gradient of a parameter p, and lr the learning rate.
#pragma once

#include "nn/optim/optimiser.h"

namespace heed {

struct SgdOptions {
    double lr = 0.01;
    double momentum = 0;
    bool nesterov = false;    // looks ahead: Sutskever et al. 2013, section 2
    double weight_decay = 0;  // added to the gradient
};
// v = μ v + g,  p -= lr v.  Nesterov: p -= lr (g + μ v).
class Sgd : public Optimiser {
  public:
    explicit Sgd(std::vector<Parameter> parameters, const SgdOptions& options = {});

  private:
    void update(Tensor& parameter, const Tensor& grad, double rate, Slot& slot) override;
    SgdOptions options_;
};

struct AdamOptions {
    double lr = 1e-3;
    double beta1 = 0.9, beta2 = 0.999;
    double eps = 1e-8;
    double weight_decay = 0;  // added to the gradient
};
// m = β₁ m + (1 - β₁) g,  v = β₂ v + (1 - β₂) g²,  p -= lr m̂ / (√v̂ + eps), where m̂ = m / (1 - β₁ᵗ)
// and v̂ = v / (1 - β₂ᵗ) (Kingma and Ba 2015, algorithm 1).
class Adam : public Optimiser {
  public:
    explicit Adam(std::vector<Parameter> parameters, const AdamOptions& options = {});

  private:
    void update(Tensor& parameter, const Tensor& grad, double rate, Slot& slot) override;
    AdamOptions options_;
};

struct AdamWOptions {
    double lr = 1e-3;
    double beta1 = 0.9, beta2 = 0.999;
    double eps = 1e-8;
    double weight_decay = 0.01;
    bool decay_matrices_only = false;  // spares parameters of fewer than 2 axes
};
// Adam, with the decay apart from the gradient: p -= lr weight_decay p (Loshchilov and Hutter 2019,
// algorithm 2).
class AdamW : public Optimiser {
  public:
    explicit AdamW(std::vector<Parameter> parameters, const AdamWOptions& options = {});

  private:
    void update(Tensor& parameter, const Tensor& grad, double rate, Slot& slot) override;
    AdamWOptions options_;
};

struct RmsPropOptions {
    double lr = 0.01;
    double decay = 0.99;  // of the running mean of squares
    double eps = 1e-8;
    double momentum = 0;
    double weight_decay = 0;  // added to the gradient
};
// v = d v + (1 - d) g²,  b = μ b + g / (√v + eps),  p -= lr b  (Tieleman and Hinton 2012,
// lecture 6.5).
class RmsProp : public Optimiser {
  public:
    explicit RmsProp(std::vector<Parameter> parameters, const RmsPropOptions& options = {});

  private:
    void update(Tensor& parameter, const Tensor& grad, double rate, Slot& slot) override;
    RmsPropOptions options_;
};

}  // namespace heed
