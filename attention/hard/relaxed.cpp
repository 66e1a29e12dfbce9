#include "attention/hard/relaxed.h"

#include <cmath>

#include "attention/hard/hard_categorical.h"
#include "attention/scores/soft.h"
#include "autograd/base/settings.h"
#include "autograd/ops/elementwise/binary.h"
#include "autograd/ops/index/indexing.h"
#include "autograd/ops/reduce/reductions.h"
#include "autograd/tensor/shapes.h"

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
    const Shapes in("gumbel_softmax", {{"scores", scores, "... K"}});
    check_positive("gumbel_softmax", {{"temperature", temperature}});
    const Tensor noisy = scores + gumbel_noise(scores.shape(), rng, scores.dtype());
    return attention_weights(noisy / temperature, mask);
}

// In this order w - w is exactly 0.
Tensor straight_through(const Tensor& weights, const Indices& indices) {
    const Shapes in("straight_through",
                    {{"weights", weights, "... K"}, {"indices", indices, "..."}});
    return one_hot(indices, in["K"], weights.dtype()) + (weights - detach(weights));
}

Tensor straight_through_sample(const Tensor& scores, Rng& rng, const Tensor& mask) {
    const Shapes in("straight_through_sample", {{"scores", scores, "... K"}});
    const Indices indices = sample_categorical(detach(scores), rng, mask).indices;
    return straight_through(attention_weights(scores, mask), indices);
}

Tensor straight_through_gumbel(const Tensor& scores, double temperature, Rng& rng,
                               const Tensor& mask) {
    const Shapes in("straight_through_gumbel", {{"scores", scores, "... K"}});
    const Tensor weights = gumbel_softmax(scores, temperature, rng, mask);
    check(!mask.defined() || min(sum(detach(weights), -1)).item() > 0,
          "the mask {} allows nothing in a row of the scores {}", ShapeOf{mask}, scores.shape());
    return straight_through(weights, argmax(weights));
}

}  // namespace heed
