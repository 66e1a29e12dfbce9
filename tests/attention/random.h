// Random tensors for the examples of attention.
#pragma once

#include <cstdint>

#include "autograd/tensor/random.h"

// All numbers N(0, 1).
inline heed::Tensor random(const heed::Shape& shape, std::uint64_t seed = 1) {
    heed::Rng rng(seed);
    return heed::normal(shape, 0, 1, rng);
}
