#include "lessons/course/exercise/write.h"

// An element is kept with the probability 1 - p. Divided by 1 - p, its average is (1 - p) x / (1 -
// p) = x. Because this is done in training, nothing has to be done afterwards.
Tensor my_dropout(const Tensor& x, double p, bool training, Rng& rng) {
    if (!training) return x;
    const Tensor kept = bernoulli(x.shape(), 1 - p, rng, x.dtype());
    return x * kept / (1 - p);
}
