// Says: are kept or dropped together
#include "lessons/course/exercise/write.h"

Tensor my_dropout(const Tensor& x, double p, bool training, Rng& rng) {
    if (!training) return x;
    return x * bernoulli({x.size(1)}, 1 - p, rng, x.dtype()) / (1 - p);
}
