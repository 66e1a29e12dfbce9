// Dropout (Srivastava et al. 2014, section 4).
#pragma once

#include "autograd/tensor/tensor.h"
#include "nn/module/mode.h"

namespace heed {

// In training: sets each element to 0 with probability p and divides the others by 1 - p, so that the
// expectation is unchanged. In evaluation: y = x.
struct Dropout {
    double p = 0;

    Dropout() = default;
    explicit Dropout(double probability);  // throws unless 0 <= p < 1
    void visit(auto&&) {}

    // x [...] -> the same. With p > 0 the mode must be given: see nn/module/mode.h.
    Tensor operator()(const Tensor& x, Mode mode = {}) const;
};

}  // namespace heed
