#include "nn/layers/init.h"

#include <cmath>

#include "autograd/base/settings.h"

namespace heed {
namespace {

struct Fans {
    double in, out;
};

Fans fans(const Shape& shape, const char* who) {
    check(shape.dim() >= 2, "{}: a weight needs at least 2 axes, [Out, In], got {}", who, shape);
    double rest = 1;
    for (int i = 2; i < shape.dim(); ++i) rest *= static_cast<double>(shape[i]);
    return {static_cast<double>(shape[1]) * rest, static_cast<double>(shape[0]) * rest};
}

// A uniform variable on [-a, a] has variance a² / 3.
Tensor uniform_with(double deviation, const Shape& shape, Rng& rng, Dtype dtype) {
    const double bound = std::sqrt(3.0) * deviation;
    return uniform(shape, -bound, bound, rng, dtype);
}

}  // namespace

Tensor xavier_uniform(const Shape& shape, Rng& rng, double gain, Dtype dtype) {
    const Fans fan = fans(shape, "xavier_uniform");
    return uniform_with(gain * std::sqrt(2 / (fan.in + fan.out)), shape, rng, dtype);
}

Tensor xavier_normal(const Shape& shape, Rng& rng, double gain, Dtype dtype) {
    const Fans fan = fans(shape, "xavier_normal");
    return normal(shape, 0, gain * std::sqrt(2 / (fan.in + fan.out)), rng, dtype);
}

Tensor kaiming_uniform(const Shape& shape, Rng& rng, double gain, Dtype dtype) {
    return uniform_with(gain / std::sqrt(fans(shape, "kaiming_uniform").in), shape, rng, dtype);
}

Tensor kaiming_normal(const Shape& shape, Rng& rng, double gain, Dtype dtype) {
    return normal(shape, 0, gain / std::sqrt(fans(shape, "kaiming_normal").in), rng, dtype);
}

Tensor uniform_fan(const Shape& shape, Integer fan, Rng& rng, Dtype dtype) {
    check_positive("uniform_fan", {{"fan", fan.value}});
    const double bound = 1 / std::sqrt(static_cast<double>(fan));
    return uniform(shape, -bound, bound, rng, dtype);
}

Tensor orthogonal(const Shape& shape, Rng& rng, double gain, Dtype dtype) {
    check(shape.dim() >= 2, "orthogonal: a weight needs at least 2 axes, got {}", shape);
    const int64_t rows = shape[0], columns = rows == 0 ? 0 : shape.numel() / rows;
    const int64_t count = std::min(rows, columns), length = std::max(rows, columns);

    // Gram-Schmidt: subtract from each random vector its components along those before it, twice, so
    // that rounding leaves nothing; then make its length 1.
    std::vector<std::vector<double>> basis;
    while (static_cast<int64_t>(basis.size()) < count) {
        std::vector<double> v(length);
        for (double& x : v) x = rng.normal();
        for (int pass = 0; pass < 2; ++pass)
            for (const std::vector<double>& u : basis) {
                double along = 0;
                for (int64_t i = 0; i < length; ++i) along += u[i] * v[i];
                for (int64_t i = 0; i < length; ++i) v[i] -= along * u[i];
            }
        double square = 0;
        for (double x : v) square += x * x;
        if (square < 1e-12) continue;  // in the span of the others: draw again
        for (double& x : v) x /= std::sqrt(square);
        basis.push_back(std::move(v));
    }

    std::vector<double> values(rows * columns);
    for (int64_t i = 0; i < rows; ++i)
        for (int64_t j = 0; j < columns; ++j)
            values[i * columns + j] = gain * (rows <= columns ? basis[i][j] : basis[j][i]);
    return tensor(values, shape, dtype);
}

}  // namespace heed
