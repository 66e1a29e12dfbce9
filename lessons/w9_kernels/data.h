// A curve, noisy points on it, and the Nadaraya-Watson estimator of the curve from the points.
#pragma once

#include <vector>

#include "autograd/tensor/random.h"

namespace heed::workshop9 {

struct NoisyCurve {
    std::vector<double> k, v;      // points with k in 0 .. 1; v has noise of standard deviation 0.3
    std::vector<double> q, truth;  // 101 values of x from 0 to 1, and the curve there

    NoisyCurve(int points, Rng& rng);

    // Σⱼ G(x - kⱼ) vⱼ / Σⱼ G(x - kⱼ), G(d) = exp(-d² / 2 h²), in a plain loop. NaN where no point
    // is near enough.
    double estimate(double x, double h) const;

    // For values y at the points q: the largest distance from the estimates of width h, and the
    // mean squared error against the true curve.
    double gap(const std::vector<double>& y, double h) const;
    double error(const std::vector<double>& y) const;
};

}  // namespace heed::workshop9
