#include "nn/layers/dropout.h"

#include "autograd/base/settings.h"
#include "autograd/ops/elementwise/binary.h"
#include "autograd/tensor/random.h"
#include "autograd/tensor/shapes.h"

namespace heed {

Dropout::Dropout(double probability) : p(probability) { check_rate("Dropout", {{"p", p}}); }

Tensor Dropout::operator()(const Tensor& x, Mode mode) const {
    const Shapes in("Dropout", {{"x", x, "..."}});
    if (p == 0 || !mode.is_training("Dropout")) return x;
    const Tensor kept = bernoulli(x.shape(), 1 - p, mode.rng("Dropout"), x.dtype());
    return weighted(kept * (1 / (1 - p)), x);
}

}  // namespace heed
