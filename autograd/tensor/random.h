// Tensors of random numbers, drawn from an explicit generator (base/rng.h).
#pragma once

#include "autograd/base/rng.h"
#include "autograd/tensor/indices.h"
#include "autograd/tensor/tensor.h"

namespace heed {

Tensor uniform(const Shape& shape, double low, double high, Rng& rng, Dtype dtype = Dtype::float32);
Tensor normal(const Shape& shape, double mean, double deviation, Rng& rng,
              Dtype dtype = Dtype::float32);
// 1 with the given probability, else 0.
Tensor bernoulli(const Shape& shape, double probability, Rng& rng, Dtype dtype = Dtype::float32);
// The same, of the shape and dtype of x.
Tensor uniform_like(const Tensor& x, double low, double high, Rng& rng);
Tensor normal_like(const Tensor& x, double mean, double deviation, Rng& rng);
Tensor bernoulli_like(const Tensor& x, double probability, Rng& rng);

// 0, 1, ..., count - 1 in random order.
Indices randperm(Integer count, Rng& rng);
// One index for each row of probabilities [..., K], which are non-negative and need not sum to 1.
Indices categorical(const Tensor& probabilities, Rng& rng);
// `draws` indices for each row of probabilities [..., K], in the order in which they were drawn:
// [..., draws]. Without replacement no index is drawn twice: the second is drawn from what the first has
// left, and so on. Throws for a row whose probabilities have no finite positive sum, and without
// replacement if fewer than `draws` of them are positive.
Indices multinomial(const Tensor& probabilities, Integer draws, Rng& rng, Flag replacement = false);

}  // namespace heed
