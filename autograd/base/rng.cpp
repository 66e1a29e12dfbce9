#include "autograd/base/rng.h"

#include <cmath>

#include "autograd/base/error.h"

namespace heed {

// SplitMix64 (Steele, Lea and Flood 2014) spreads the seed over the 256 bits of state. Its steps
// are a counter, stirred by multiplications and shifts, so the state is never all zero.
Rng Rng::leaving_unset() {
    Rng rng(0);
    rng.unset_ = true;
    return rng;
}

Rng::Rng(uint64_t seed) {
    for (uint64_t& word : state_) {
        uint64_t z = seed += 0x9e3779b97f4a7c15;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
        z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
        word = z ^ (z >> 31);
    }
}

// A point (u, v) drawn evenly from the unit disc, at squared distance s from its middle: then
// u √(-2 ln s / s) and v √(-2 ln s / s) are two independent normal numbers (Marsaglia and Bray
// 1964).
double Rng::normal() {
    if (has_spare_) {
        has_spare_ = false;
        return spare_;
    }
    double u, v, s;
    do {
        u = uniform(-1, 1);
        v = uniform(-1, 1);
        s = u * u + v * v;
    } while (s >= 1 || s == 0);
    const double scale = std::sqrt(-2 * std::log(s) / s);
    spare_ = v * scale;
    has_spare_ = true;
    return u * scale;
}

// As many bits as the largest result has, drawn again while they say too much.
int64_t Rng::below(Integer count) {
    check(count > 0, "Rng::below: expected a count of at least 1, got {}", count);
    const uint64_t largest = static_cast<uint64_t>(count) - 1;
    const int unused = std::countl_zero(largest | 1);
    uint64_t drawn;
    do drawn = next() >> unused;
    while (drawn > largest);
    return static_cast<int64_t>(drawn);
}

Rng Rng::split() { return Rng(next()); }

}  // namespace heed
