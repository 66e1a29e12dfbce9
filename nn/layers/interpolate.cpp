#include "nn/layers/interpolate.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "autograd/base/settings.h"
#include "autograd/ops/product/matmul.h"
#include "autograd/ops/shape/shape_ops.h"
#include "autograd/tensor/shapes.h"

namespace heed {

namespace {

// Keys 1981, equation 15, for a pixel at distance d from the centre of the output pixel.
double cubic(double d) {
    constexpr double a = -0.75;
    d = std::abs(d);
    if (d <= 1) return ((a + 2) * d - (a + 3)) * d * d + 1;
    if (d < 2) return ((a * d - 5 * a) * d + 8 * a) * d - 4 * a;
    return 0;
}

}  // namespace

Tensor interpolation_weights(Integer from, Integer to, Interpolation kind, Dtype dtype) {
    check_positive("interpolation_weights", {{"from", from.value}, {"to", to.value}});
    std::vector<double> weights(static_cast<std::size_t>(to * from));
    for (int64_t i = 0; i < to; ++i) {
        const double centre =
            (static_cast<double>(i) + 0.5) * static_cast<double>(from) / static_cast<double>(to) -
            0.5;
        const auto first = static_cast<int64_t>(std::floor(centre));
        const auto add = [&](int64_t pixel, double weight) {
            weights[static_cast<std::size_t>(i * from + std::clamp<int64_t>(pixel, 0, from - 1))] +=
                weight;
        };
        const double d = centre - static_cast<double>(first);
        if (kind == Interpolation::bilinear) {
            add(first, 1 - d);
            add(first + 1, d);
        } else {
            for (int64_t k = -1; k <= 2; ++k) add(first + k, cubic(static_cast<double>(k) - d));
        }
    }
    return tensor(weights, {to, from}, dtype);
}

Tensor interpolate(const Tensor& x, Size2d size, Interpolation kind) {
    const Shapes in("interpolate", {{"x", x, "... H W"}});
    check_positive("interpolate", {{"height", size.height}, {"width", size.width}});
    const Tensor rows = interpolation_weights(in["H"], size.height, kind, x.dtype());
    const Tensor columns = interpolation_weights(in["W"], size.width, kind, x.dtype());
    return matmul(matmul(rows, x), transpose(columns));
}

}  // namespace heed
