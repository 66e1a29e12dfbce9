// The optimisers: stochastic gradient descent, Adam, AdamW and RMSprop. They are used alike, see
// optimiser.h. Formulas, options and default values are PyTorch's. In the formulas g is the
// gradient of a parameter p, lr the learning rate, and all running sums and means are 0 at first.
//
// weight_decay is L2 regularisation, g + weight_decay p in place of g, in all of them but AdamW.
#pragma once

#include "nn/optim/optimiser.h"

namespace heed {

struct SgdOptions {
    double lr = 1e-3;
    double momentum = 0;    // μ
    bool nesterov = false;  // Sutskever et al. 2013, section 2
    double weight_decay = 0;
};
// v = μ v + g,  p -= lr v; with nesterov p -= lr (g + μ v).
class Sgd : public Optimiser {
  public:
    explicit Sgd(ParameterList parameters, const SgdOptions& options = {});

  private:
    void update(Tensor& parameter, const Tensor& grad, double rate, Slot& slot) override;
    SgdOptions options_;
};

struct AdamOptions {
    double lr = 1e-3;
    double beta1 = 0.9, beta2 = 0.999;
    double eps = 1e-8;
    double weight_decay = 0;
};
// m = β₁ m + (1 - β₁) g,  v = β₂ v + (1 - β₂) g²,  p -= lr m̂ / (√v̂ + eps), where m̂ = m / (1 -
// β₁ᵗ) and v̂ = v / (1 - β₂ᵗ) (Kingma and Ba 2015, algorithm 1).
class Adam : public Optimiser {
  public:
    explicit Adam(ParameterList parameters, const AdamOptions& options = {});

  private:
    void update(Tensor& parameter, const Tensor& grad, double rate, Slot& slot) override;
    AdamOptions options_;
};

struct AdamWOptions {
    double lr = 1e-3;
    double beta1 = 0.9, beta2 = 0.999;
    double eps = 1e-8;
    double weight_decay = 0.01;
    // Which parameters decay; if not given all of them do, as in PyTorch. See weight_decay.h:
    // language models usually take product_weights(model), which leaves out embeddings, norms and
    // biases.
    ParameterPredicate decays = {};
};
// Adam with weight decay separate from the gradient: p -= lr weight_decay p, then Adam's update
// (Loshchilov and Hutter 2019, algorithm 2).
class AdamW : public Optimiser {
  public:
    explicit AdamW(ParameterList parameters, const AdamWOptions& options = {});

  private:
    void update(Tensor& parameter, const Tensor& grad, double rate, Slot& slot) override;
    AdamWOptions options_;
};

struct RmsPropOptions {
    double lr = 0.01;
    double alpha = 0.99;  // of the running mean of squares
    double eps = 1e-8;
    double momentum = 0;  // μ
    double weight_decay = 0;
};
// v = α v + (1 - α) g²,  b = μ b + g / (√v + eps),  p -= lr b  (Tieleman and Hinton 2012,
// lecture 6.5).
class RmsProp : public Optimiser {
  public:
    explicit RmsProp(ParameterList parameters, const RmsPropOptions& options = {});

  private:
    void update(Tensor& parameter, const Tensor& grad, double rate, Slot& slot) override;
    RmsPropOptions options_;
};

}  // namespace heed
