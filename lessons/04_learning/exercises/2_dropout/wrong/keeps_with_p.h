// Says: p is the probability of a zero, not that of keeping
#include "lessons/course/exercise/write.h"

Tensor my_dropout(const Tensor& x, double p, bool training, Rng& rng) {
    if (!training) return x;
    return x * bernoulli(x.shape(), p, rng, x.dtype()) / (p == 0 ? 1 : p);
}
