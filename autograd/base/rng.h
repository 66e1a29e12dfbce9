// Random numbers. There is no hidden generator: a function that draws takes an Rng&, and the same
// seed gives the same numbers on every machine.
#pragma once

#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "autograd/base/arguments.h"

namespace heed {

// A sum of all random numbers that this thread draws while the object exists, in their order, from
// whatever generator. Who computes a function a second time learns from two sums whether it has drawn
// the same numbers (backward/recompute.h).
class WatchDraws {
  public:
    WatchDraws() : outer_(std::exchange(watching, this)) {}
    ~WatchDraws() { watching = outer_; }
    WatchDraws(const WatchDraws&) = delete;
    WatchDraws& operator=(const WatchDraws&) = delete;

    uint64_t sum() const { return sum_; }

  private:
    friend class Rng;
    void add(uint64_t drawn) {
        sum_ = (sum_ ^ drawn) * 0x9e3779b97f4a7c15 + 1;
        if (outer_) outer_->add(drawn);
    }

    static inline constinit thread_local WatchDraws* watching = nullptr;
    uint64_t sum_ = 0;
    WatchDraws* outer_ = nullptr;
};

// xoshiro256++ (Blackman and Vigna 2019), seeded through SplitMix64.
class Rng {
  public:
    explicit Rng(uint64_t seed);
    // For models that are to be read from a file: uniform() and normal() give tensors whose numbers are
    // not set, and their memory is not touched. Other functions throw.
    static Rng leaving_unset();
    bool leaves_unset() const { return unset_; }
    uint64_t next();   // 64 random bits
    double uniform();  // [0, 1)
    double uniform(double low, double high);
    double normal();               // mean 0, variance 1 (Marsaglia's polar method)
    int64_t below(Integer count);  // 0 .. count - 1, each equally likely
    bool chance(double probability) { return uniform() < probability; }
    Rng split();  // an independent generator, seeded with the next number of this one
    template <class T>
    void shuffle(std::vector<T>& items) {
        for (int64_t i = static_cast<int64_t>(items.size()) - 1; i > 0; --i)
            std::swap(items[i], items[below(i + 1)]);
    }
    // Everything that the next numbers depend on, for checkpoints (nn/saved/saved_state.h).
    template <class F>
    void visit_state(F&& f) {
        f("a", state_[0]), f("b", state_[1]), f("c", state_[2]), f("d", state_[3]);
        f("spare", spare_), f("has_spare", has_spare_);
    }

  private:
    uint64_t state_[4] = {};
    double spare_ = 0;
    bool has_spare_ = false, unset_ = false;
};

// The result is a sum of two words of the state, rotated; then one linear step. Inline, because
// a mask of dropout takes millions of them.
inline uint64_t Rng::next() {
    auto& [a, b, c, d] = state_;
    const uint64_t result = std::rotl(a + d, 23) + a;
    const uint64_t shifted = b << 17;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = std::rotl(d, 45);
    if (WatchDraws* watch = WatchDraws::watching) [[unlikely]]
        watch->add(result);
    return result;
}

// The upper 53 bits, as many as a double holds.
inline double Rng::uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }
inline double Rng::uniform(double low, double high) { return low + (high - low) * uniform(); }

}  // namespace heed
