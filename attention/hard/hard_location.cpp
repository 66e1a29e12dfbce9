#include "attention/hard/hard_location.h"

#include <cmath>
#include <numbers>

#include "autograd/base/user_call.h"
#include "autograd/ops/binary.h"
#include "autograd/ops/reductions.h"
#include "autograd/ops/unary.h"

namespace heed {

Tensor gaussian_log_prob(const Tensor& mean, double deviation, const Tensor& location) {
    const UserCall named("gaussian_log_prob");
    check_defined("gaussian_log_prob", mean, location);
    check(deviation > 0, "gaussian_log_prob: the deviation must be positive, got {}", deviation);
    check(mean.dim() >= 1 && mean.shape() == location.shape(),
          "gaussian_log_prob: mean {} and location {} must have the same shape [..., D]",
          mean.shape(), location.shape());
    const double log_norm = std::log(deviation * std::sqrt(2 * std::numbers::pi));
    const Tensor distance = sum(square(detach(location) - mean), -1);  // [...]
    return distance * (-0.5 / (deviation * deviation)) -
           static_cast<double>(mean.size(-1)) * log_norm;
}

LocationSample sample_location(const Tensor& mean, double deviation, Rng& rng) {
    const UserCall named("sample_location");
    check_defined("sample_location", mean);
    check(deviation > 0, "sample_location: the deviation must be positive, got {}", deviation);
    Tensor location = detach(mean) + normal(mean.shape(), 0, deviation, rng, mean.dtype());
    Tensor log_p = gaussian_log_prob(mean, deviation, location);
    return {std::move(location), std::move(log_p)};
}

}  // namespace heed
