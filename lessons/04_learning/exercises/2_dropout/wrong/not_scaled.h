// Says: the activations that are kept are not scaled
#include "lessons/course/exercise/write.h"

Tensor my_dropout(const Tensor& x, double p, bool training, Rng& rng) {
    if (!training) return x;
    return x * bernoulli(x.shape(), 1 - p, rng, x.dtype());
}
