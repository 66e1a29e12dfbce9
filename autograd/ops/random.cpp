#include "autograd/ops/random.h"

#include <bit>
#include <cmath>

#include "autograd/ops/rows.h"
#include "autograd/tensor/indices.h"

namespace heed {

// SplitMix64 (Steele, Lea and Flood 2014) spreads the seed over the 256 bits of state. Its steps
// are a counter, stirred by multiplications and shifts, so the state is never all zero.
Rng::Rng(uint64_t seed) {
    for (uint64_t& word : state_) {
        uint64_t z = seed += 0x9e3779b97f4a7c15;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
        z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
        word = z ^ (z >> 31);
    }
}

// xoshiro256++: the result is a sum of two words of the state, rotated; then one linear step.
uint64_t Rng::next() {
    auto& [a, b, c, d] = state_;
    const uint64_t result = std::rotl(a + d, 23) + a;
    const uint64_t shifted = b << 17;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = std::rotl(d, 45);
    return result;
}

// The upper 53 bits, as many as a double holds.
double Rng::uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }
double Rng::uniform(double low, double high) { return low + (high - low) * uniform(); }

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
int64_t Rng::below(int64_t count) {
    check(count > 0, "Rng::below: expected a count of at least 1, got {}", count);
    const uint64_t largest = static_cast<uint64_t>(count) - 1;
    const int unused = std::countl_zero(largest | 1);
    uint64_t drawn;
    do drawn = next() >> unused;
    while (drawn > largest);
    return static_cast<int64_t>(drawn);
}

Rng Rng::split() { return Rng(next()); }

namespace {

// draw() for each element, in row-major order.
template <class Draw>
Tensor filled(const Shape& shape, Dtype dtype, Draw draw) {
    Tensor x = empty(shape, dtype);
    with_dtype(dtype, [&]<class T>(T) {
        T* to = x.edit<T>();
        for (int64_t i = 0; i < x.numel(); ++i) to[i] = draw(T{});
    });
    return x;
}

}  // namespace

Tensor uniform(const Shape& shape, double low, double high, Rng& rng, Dtype dtype) {
    check(low <= high, "uniform: expected low <= high, got {} and {}", low, high);
    return filled(shape, dtype, [&]<class T>(T) {
        // Rounding to float could reach `high`, which is not to be drawn.
        const T value = static_cast<T>(rng.uniform(low, high));
        return value < high || low == high ? value : std::nextafter(static_cast<T>(high), T(low));
    });
}

Tensor normal(const Shape& shape, double mean, double deviation, Rng& rng, Dtype dtype) {
    check(deviation >= 0, "normal: expected a standard deviation of at least 0, got {}", deviation);
    return filled(shape, dtype,
                  [&]<class T>(T) { return static_cast<T>(mean + deviation * rng.normal()); });
}

Tensor bernoulli(const Shape& shape, double probability, Rng& rng, Dtype dtype) {
    check(probability >= 0 && probability <= 1,
          "bernoulli: expected a probability from 0 to 1, got {}", probability);
    return filled(shape, dtype, [&]<class T>(T) { return T(rng.chance(probability)); });
}

// A number drawn from [0, Σ p) falls into one of the stretches p₁, p₂, ... laid end to end.
Indices categorical(const Tensor& probabilities, Rng& rng) {
    check(probabilities.defined() && probabilities.dim() > 0,
          "categorical: expected probabilities [..., K]");
    Shape rows = probabilities.shape();
    const int64_t count = rows[--rows.count];
    std::vector<int> drawn(rows.numel());
    with_dtype(probabilities.dtype(), [&]<class T>(T) {
        const Rows<T> p(probabilities);
        for (int64_t row = 0; row < rows.numel(); ++row) {
            double total = 0;
            for (int64_t i = 0; i < count; ++i) {
                check(p[row][i] >= 0, "categorical: probability {} in row {}", p[row][i], row);
                total += p[row][i];
            }
            check(total > 0 && std::isfinite(total),
                  "categorical: the probabilities in row {} sum to {}", row, total);
            double left = rng.uniform() * total;
            for (int64_t i = 0; i < count; ++i) {
                if (p[row][i] == 0) continue;
                drawn[row] = static_cast<int>(i);  // the last one, should rounding leave a rest
                if ((left -= p[row][i]) < 0) break;
            }
        }
    });
    return Indices(std::move(drawn), rows);
}

}  // namespace heed
