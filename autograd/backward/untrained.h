// Parameters that nobody trains. A model names its layers in visit(); a layer that is missing there
// would silently keep its initial values, because no optimiser learns of it. So parameters carry a
// mark, optimisers mark what they hold, and backward() notes every parameter without optimiser to
// which it has left a gradient while others of the same loss have one. The next step of an
// optimiser throws (nn/optim/optimiser.h).
//
// The marks belong to the numbers of a tensor, so that all handles and views of it share them.
#pragma once

#include <vector>

#include "autograd/tensor/node.h"
#include "autograd/tensor/tensor.h"

namespace heed {

// Marks x as a parameter, a tensor that is to be trained.
void mark_as_parameter(const Tensor& x);
bool is_parameter(const Tensor& x);
// Marks x as held by an optimiser. The mark stays when the optimiser is gone.
void mark_as_trained(const Tensor& x);

// The shapes of the parameters that backward() has noted since the last call, and that still have no
// optimiser.
std::vector<Shape> take_untrained();

// The shapes of the parameters that y was computed from and that are not among `known`.
std::vector<Shape> other_parameters(const Tensor& y, const std::vector<Tensor>& known);

// For one backward pass.
class UntrainedParameters {
  public:
    void look_at(const Leaf& leaf);
    void remember() const;

  private:
    bool any_trained_ = false;
    std::vector<const Leaf*> untrained_;
};

}  // namespace heed
