#include "attention/hard/relaxed.h"

#include <cmath>

#include "attention/hard/hard_categorical.h"
#include "attention/scores/soft.h"
#include "autograd/base/user_call.h"
#include "autograd/ops/binary.h"
#include "autograd/ops/indexing.h"
#include "autograd/ops/reductions.h"

namespace heed {

Tensor gumbel_noise(const Shape& shape, Rng& rng, Dtype dtype) {
    Tensor noise = empty(shape, dtype);
    with_dtype(dtype, [&]<class T>(T) {
        T* out = noise.edit<T>();
        for (int64_t i = 0; i < noise.numel(); ++i) {
            const double time = -std::log1p(-rng.uniform());  // exponential; 0 once in 2⁵³ samples
            out[i] = static_cast<T>(-std::log(time + 0x1p-60));
        }
    });
    return noise;
}

Tensor gumbel_softmax(const Tensor& scores, double temperature, Rng& rng, const Tensor& mask) {
    const UserCall named("gumbel_softmax");
    check_defined("gumbel_softmax", scores);
    check(temperature > 0, "gumbel_softmax: the temperature must be positive, got {}", temperature);
    const Tensor noisy = scores + gumbel_noise(scores.shape(), rng, scores.dtype());
    return attention_weights(noisy / temperature, mask);
}

// In this order w - w is exactly 0.
Tensor straight_through(const Tensor& weights, const Indices& indices) {
    const UserCall named("straight_through");
    check_defined("straight_through", weights);
    check(weights.dim() == indices.shape().dim() + 1 &&
              indices.count() * weights.size(-1) == weights.numel(),
          "straight_through: weights {} and indices {}; expected [..., K] and [...]",
          weights.shape(), indices.shape());
    return one_hot(indices, weights.size(-1), weights.dtype()) + (weights - detach(weights));
}

Tensor straight_through_sample(const Tensor& scores, Rng& rng, const Tensor& mask) {
    const UserCall named("straight_through_sample");
    check_defined("straight_through_sample", scores);
    const Indices indices = sample_categorical(detach(scores), rng, mask).indices;
    return straight_through(attention_weights(scores, mask), indices);
}

Tensor straight_through_gumbel(const Tensor& scores, double temperature, Rng& rng,
                               const Tensor& mask) {
    const UserCall named("straight_through_gumbel");
    check_defined("straight_through_gumbel", scores);
    const Tensor weights = gumbel_softmax(scores, temperature, rng, mask);
    check(!mask.defined() || min(sum(detach(weights), -1)).item() > 0,
          "straight_through_gumbel: the mask {1} allows nothing in a row of the scores {0}",
          scores.shape(), mask.defined() ? mask.shape() : Shape());
    return straight_through(weights, argmax(weights));
}

}  // namespace heed
