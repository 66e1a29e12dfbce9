#include "autograd/tensor/random.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

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

namespace {

// The sums p₀, p₀ + p₁, ... of one row.
std::vector<double> running_sums(const char* name, std::span<const double> p, int64_t row) {
    std::vector<double> sums;
    double total = 0;
    for (double each : p) {
        check(each >= 0, "{}: probability {} in row {}", name, each, row);
        sums.push_back(total += each);
    }
    check(total > 0 && std::isfinite(total), "{}: the probabilities in row {} sum to {}", name, row,
          total);
    return sums;
}

// A number u is drawn from [0, Σ p). The index drawn is the first i with u < p₀ + ... + pᵢ.
int index_by(const std::vector<double>& sums, Rng& rng) {
    const double u = rng.uniform() * sums.back();
    auto found = std::upper_bound(sums.begin(), sums.end(), u);
    if (found == sums.end())  // u was rounded up to Σ p: the last index that has a probability
        found = std::lower_bound(sums.begin(), sums.end(), sums.back());
    return static_cast<int>(found - sums.begin());
}

// Index i arrives after a random time with the exponential distribution of rate pᵢ. Then the next one to
// arrive is each of those still missing with a probability in proportion to its p: so the first ones, in
// the order of their arrival, are a sample without replacement (Efraimidis and Spirakis 2006). Times are
// compared by their logarithms, which a tiny p does not make infinite.
std::vector<int> first_to_arrive(std::span<const double> p, int64_t draws, int64_t row, Rng& rng) {
    std::vector<std::pair<double, int>> arrivals;
    for (std::size_t i = 0; i < p.size(); ++i)
        if (p[i] > 0)
            arrivals.emplace_back(std::log(-std::log1p(-rng.uniform())) - std::log(p[i]),
                                  static_cast<int>(i));
    check(draws <= std::ssize(arrivals),
          "multinomial: {} draws without replacement from row {}, where {} probabilities are "
          "positive",
          draws, row, arrivals.size());
    std::partial_sort(arrivals.begin(), arrivals.begin() + draws, arrivals.end());
    std::vector<int> drawn;
    for (int64_t k = 0; k < draws; ++k) drawn.push_back(arrivals[k].second);
    return drawn;
}

}  // namespace

Indices categorical(const Tensor& probabilities, Rng& rng) {
    check(probabilities.defined() && probabilities.dim() > 0,
          "categorical: expected probabilities [..., K]");
    Shape rows = probabilities.shape();
    const int64_t count = rows[--rows.count];
    const std::vector<double> p = probabilities.to_vector();
    std::vector<int> drawn;
    for (int64_t row = 0; row < rows.numel(); ++row)
        drawn.push_back(index_by(
            running_sums("categorical", std::span(p).subspan(row * count, count), row), rng));
    return Indices(std::move(drawn), rows);
}

Indices multinomial(const Tensor& probabilities, Integer draws, Rng& rng, Flag replacement) {
    check(probabilities.defined() && probabilities.dim() > 0,
          "multinomial: expected probabilities [..., K]");
    check(draws >= 0, "multinomial: {} draws; expected at least 0", draws);
    Shape shape = probabilities.shape();
    const int64_t count = shape.back();
    shape[shape.count - 1] = 1;
    const int64_t rows = shape.numel();
    shape[shape.count - 1] = draws;
    const std::vector<double> numbers = probabilities.to_vector();
    std::vector<int> drawn;
    for (int64_t row = 0; row < rows; ++row) {
        const std::span p = std::span(numbers).subspan(row * count, count);
        const std::vector<double> sums = running_sums("multinomial", p, row);
        if (replacement) {
            for (int64_t k = 0; k < draws; ++k) drawn.push_back(index_by(sums, rng));
        } else {
            const std::vector<int> some = first_to_arrive(p, draws, row, rng);
            drawn.insert(drawn.end(), some.begin(), some.end());
        }
    }
    return Indices(std::move(drawn), shape);
}

}  // namespace heed
