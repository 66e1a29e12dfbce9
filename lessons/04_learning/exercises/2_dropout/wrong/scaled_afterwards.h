// Says: the scaling belongs to the training
#include "lessons/course/exercise/write.h"

Tensor my_dropout(const Tensor& x, double p, bool training, Rng& rng) {
    if (!training) return x * (1 - p);
    return x * bernoulli(x.shape(), 1 - p, rng, x.dtype());
}
