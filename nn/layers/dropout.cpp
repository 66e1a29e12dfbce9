#include "nn/layers/dropout.h"

#include "autograd/base/user_call.h"
#include "autograd/ops/binary.h"
#include "autograd/ops/random.h"

namespace heed {

Dropout::Dropout(double probability) : p(probability) {
    check(p >= 0 && p < 1, "Dropout: expected a probability in [0, 1), got {}", p);
}

Tensor Dropout::operator()(const Tensor& x, Mode mode) const {
    const UserCall named("Dropout");
    check_defined("Dropout", x);
    if (p == 0 || !mode.is_training("Dropout")) return x;
    const Tensor kept = bernoulli(x.shape(), 1 - p, mode.rng("Dropout"), x.dtype());
    return weighted(kept * (1 / (1 - p)), x);
}

}  // namespace heed
