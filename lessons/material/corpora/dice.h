// Random choices that are the same on every machine: SplitMix64 (Steele, Lea and Flood 2014), with
// whole numbers only. The distributions of the standard library differ between its implementations.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heed::course {

struct Dice {
    std::uint64_t state = 0;

    std::uint64_t next() {
        std::uint64_t z = state += 0x9E3779B97F4A7C15;
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
        z = (z ^ z >> 27) * 0x94D049BB133111EB;
        return z ^ z >> 31;
    }

    // A whole number from 0 to count - 1. count: 1 to 2³². The bias, count / 2³², is negligible.
    std::size_t below(std::size_t count) { return (next() >> 32) * count >> 32; }

    // True with a probability of `percent` / 100.
    bool chance(int percent) { return static_cast<int>(below(100)) < percent; }
};

}  // namespace heed::course
