#include "attention/hard/relaxed.h"

#include <cmath>

#include "attention/hard/hard_categorical.h"
#include "attention/scores/soft.h"
#include "autograd/ops/binary.h"
#include "autograd/ops/indexing.h"
#include "autograd/ops/reductions.h"

namespace heed {

Tensor gumbel_noise(const Shape& shape, Rng& rng, Dtype dtype) {
    Tensor noise = empty(shape, dtype);
    with_dtype(dtype, [&]<class T>(T) {
        T* out = noise.edit<T>();
        for (int64_t i = 0; i < noise.numel(); ++i) {
            const double wait = -std::log1p(-rng.uniform());  // exponential; 0 once in 2⁵³ draws
            out[i] = static_cast<T>(-std::log(wait + 0x1p-60));
        }
    });
    return noise;
}

Tensor gumbel_softmax(const Tensor& scores, double temperature, Rng& rng, const Tensor& mask) {
    check(temperature > 0, "gumbel_softmax: the temperature must be positive, got {}", temperature);
    const Tensor noisy = scores + gumbel_noise(scores.shape(), rng, scores.dtype());
    return attention_weights(noisy / temperature, mask);
}

// 1 + (w - w), in this order: the difference is exactly 0.
Tensor straight_through(const Tensor& weights, const Indices& places) {
    check(weights.dim() == places.shape().dim() + 1 &&
              places.count() * weights.size(-1) == weights.numel(),
          "straight_through: weights {} and places {}; expected [..., K] and [...]",
          weights.shape(), places.shape());
    return one_hot(places, weights.size(-1), weights.dtype()) + (weights - detach(weights));
}

Tensor straight_through_sample(const Tensor& scores, Rng& rng, const Tensor& mask) {
    const Indices places = sample_categorical(detach(scores), rng, mask).places;
    return straight_through(attention_weights(scores, mask), places);
}

Tensor straight_through_gumbel(const Tensor& scores, double temperature, Rng& rng,
                               const Tensor& mask) {
    const Tensor weights = gumbel_softmax(scores, temperature, rng, mask);
    check(!mask.defined() || min(sum(detach(weights), -1)).item() > 0,
          "straight_through_gumbel: a row of the scores {} has no allowed place under the mask {}",
          scores.shape(), mask.defined() ? mask.shape() : Shape());
    return straight_through(weights, argmax(weights));
}

}  // namespace heed
