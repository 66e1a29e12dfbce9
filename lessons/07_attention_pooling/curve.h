// A curve, noisy points of it, and the estimator of Nadaraya and Watson as it stands in their
// papers.
#pragma once

#include <vector>

#include "autograd/ops/random.h"

struct NoisyCurve {
    std::vector<double> k, v;      // points with k in 0 .. 1, and a noise of deviation 0.3 on v
    std::vector<double> q, truth;  // 101 places from 0 to 1, and the curve there

    NoisyCurve(int points, heed::Rng& rng);

    // Σⱼ G(q - kⱼ) vⱼ / Σⱼ G(q - kⱼ), G(d) = exp(-d² / 2 h²): two sums in a loop. Not a number
    // where no point is near enough.
    double estimate(double place, double h) const;

    // Of values at the places: how far from these estimates at most, and the mean squared error.
    double gap(const std::vector<double>& y, double h) const;
    double error(const std::vector<double>& y) const;
};
