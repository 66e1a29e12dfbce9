#include "attention/hard/hard_location.h"

#include <cmath>
#include <numbers>

#include "autograd/base/settings.h"
#include "autograd/ops/elementwise/binary.h"
#include "autograd/ops/elementwise/unary.h"
#include "autograd/ops/reduce/reductions.h"
#include "autograd/tensor/shapes.h"

namespace heed {

Tensor gaussian_log_prob(const Tensor& mean, double deviation, const Tensor& location) {
    const Shapes in("gaussian_log_prob",
                    {{"mean", mean, "... D"}, {"location", location, "... D"}});
    check_positive("gaussian_log_prob", {{"deviation", deviation}});
    const double log_norm = std::log(deviation * std::sqrt(2 * std::numbers::pi));
    const Tensor distance = sum(square(detach(location) - mean), -1);  // [...]
    return distance * (-0.5 / (deviation * deviation)) - static_cast<double>(in["D"]) * log_norm;
}

LocationSample sample_location(const Tensor& mean, double deviation, Rng& rng) {
    const Shapes in("sample_location", {{"mean", mean, "... D"}});
    check_positive("sample_location", {{"deviation", deviation}});
    Tensor location = detach(mean) + normal(mean.shape(), 0, deviation, rng, mean.dtype());
    Tensor log_p = gaussian_log_prob(mean, deviation, location);
    return {std::move(location), std::move(log_p)};
}

}  // namespace heed
