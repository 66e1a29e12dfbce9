// Random numbers. There is no hidden generator: whoever wants a random number passes an Rng, and the
// same seed gives the same numbers on every machine.
#pragma once

#include <cstdint>
#include <vector>

#include "autograd/tensor/tensor.h"

namespace heed {

// xoshiro256++ (Blackman and Vigna 2019), seeded through SplitMix64.
class Rng {
  public:
    explicit Rng(uint64_t seed);
    uint64_t next();                 // 64 random bits
    double uniform();                // [0, 1)
    double uniform(double low, double high);
    double normal();                 // mean 0, variance 1 (Marsaglia's polar method)
    int64_t below(int64_t count);    // 0 .. count - 1, each equally likely
    bool chance(double probability) { return uniform() < probability; }
    Rng split();                     // an independent generator, for a part that draws as it likes
    template <class T>
    void shuffle(std::vector<T>& items) {
        for (int64_t i = static_cast<int64_t>(items.size()) - 1; i > 0; --i)
            std::swap(items[i], items[below(i + 1)]);
    }

  private:
    uint64_t state_[4];
    double spare_ = 0;
    bool has_spare_ = false;
};

Tensor uniform(const Shape& shape, double low, double high, Rng& rng,
               Dtype dtype = Dtype::float32);
Tensor normal(const Shape& shape, double mean, double deviation, Rng& rng,
              Dtype dtype = Dtype::float32);
// 1 with the given probability, else 0.
Tensor bernoulli(const Shape& shape, double probability, Rng& rng, Dtype dtype = Dtype::float32);
// One index per row of probabilities [..., K] (non-negative, need not sum to 1).
class Indices;
Indices categorical(const Tensor& probabilities, Rng& rng);

}  // namespace heed
