// Says: a generator of its own
#include "lessons/course/exercise/write.h"

Tensor my_dropout(const Tensor& x, double p, bool training, Rng& rng) {
    (void)rng;
    if (!training) return x;
    Rng mine(1);
    return x * bernoulli(x.shape(), 1 - p, mine, x.dtype()) / (1 - p);
}
