#include "autograd/tensor/random.h"

#include <cmath>
#include <limits>
#include <numeric>

#include "autograd/base/user_call.h"
#include "autograd/tensor/indices.h"

namespace heed {

namespace {

// draw(rng, T()) for each element, in row-major order. The generator is copied and written back, so that
// its state stays in registers.
template <class Draw>
Tensor filled(const Shape& shape, Dtype dtype, Rng& rng, Draw draw) {
    Tensor x = empty(shape, dtype);
    if (rng.leaves_unset()) return x;
    with_dtype(dtype, [&]<class T>(T) {
        T* to = x.edit<T>();
        Rng own = rng;
        for (int64_t i = 0, n = x.numel(); i < n; ++i) to[i] = draw(own, T{});
        rng = own;
    });
    return x;
}

}  // namespace

Tensor uniform(const Shape& shape, double low, double high, Rng& rng, Dtype dtype) {
    const UserCall named("uniform");
    check(low <= high && std::isfinite(high - low),
          "uniform: expected finite numbers with low <= high, got {} and {}", low, high);
    return filled(shape, dtype, rng, [=]<class T>(Rng& own, T) {
        // Rounding to float could give `high`, which does not belong to the interval.
        const T value = static_cast<T>(own.uniform(low, high));
        return value < high || low == high ? value : std::nextafter(static_cast<T>(high), T(low));
    });
}

Tensor normal(const Shape& shape, double mean, double deviation, Rng& rng, Dtype dtype) {
    const UserCall named("normal");
    check(deviation >= 0 && std::isfinite(deviation) && std::isfinite(mean),
          "normal: expected a finite mean and a finite standard deviation of at least 0, got {} "
          "and {}",
          mean, deviation);
    return filled(shape, dtype, rng, [=]<class T>(Rng& own, T) {
        return static_cast<T>(mean + deviation * own.normal());
    });
}

Tensor bernoulli(const Shape& shape, double probability, Rng& rng, Dtype dtype) {
    const UserCall named("bernoulli");
    check(probability >= 0 && probability <= 1,
          "bernoulli: expected a probability from 0 to 1, got {}", probability);
    return filled(shape, dtype, rng,
                  [=]<class T>(Rng& own, T) { return T(own.chance(probability)); });
}

Tensor uniform_like(const Tensor& x, double low, double high, Rng& rng) {
    const UserCall named("uniform_like");
    check_defined("uniform_like", x);
    return uniform(x.shape(), low, high, rng, x.dtype());
}
Tensor normal_like(const Tensor& x, double mean, double deviation, Rng& rng) {
    const UserCall named("normal_like");
    check_defined("normal_like", x);
    return normal(x.shape(), mean, deviation, rng, x.dtype());
}
Tensor bernoulli_like(const Tensor& x, double probability, Rng& rng) {
    const UserCall named("bernoulli_like");
    check_defined("bernoulli_like", x);
    check(probability >= 0 && probability <= 1,
          "bernoulli_like: expected a probability from 0 to 1, got {}", probability);
    return bernoulli(x.shape(), probability, rng, x.dtype());
}

Indices randperm(Integer count, Rng& rng) {
    check(count >= 0 && count <= std::numeric_limits<int>::max(),
          "randperm: expected a count from 0 to {}, got {}", std::numeric_limits<int>::max(),
          count);
    std::vector<int> values(count);
    std::iota(values.begin(), values.end(), 0);
    rng.shuffle(values);
    return Indices(std::move(values));
}

// A number u is drawn from [0, Σ p). The index drawn is the first i with u < p₀ + ... + pᵢ.
Indices categorical(const Tensor& probabilities, Rng& rng) {
    check(probabilities.defined() && probabilities.dim() > 0,
          "categorical: expected probabilities [..., K]");
    Shape rows = probabilities.shape();
    const int64_t count = rows[--rows.count];
    std::vector<int> drawn(rows.numel());
    with_dtype(probabilities.dtype(), [&]<class T>(T) {
        const Tensor numbers = copy_of(probabilities);
        for (int64_t row = 0; row < rows.numel(); ++row) {
            const T* p = numbers.data<T>() + row * count;
            double total = 0;
            for (int64_t i = 0; i < count; ++i) {
                check(p[i] >= 0, "categorical: probability {} in row {}", p[i], row);
                total += p[i];
            }
            check(total > 0 && std::isfinite(total),
                  "categorical: the probabilities in row {} sum to {}", row, total);
            double left = rng.uniform() * total;
            for (int64_t i = 0; i < count; ++i) {
                if (p[i] == 0) continue;
                drawn[row] = static_cast<int>(i);  // if u was rounded up to Σ p: the last
                if ((left -= p[i]) < 0) break;
            }
        }
    });
    return Indices(std::move(drawn), rows);
}

}  // namespace heed
