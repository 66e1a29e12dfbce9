#include "lessons/w9_kernels/data.h"

#include <cmath>

namespace heed::workshop9 {

namespace {

double height(double x) { return std::sin(7 * x) + 0.5 * x; }

}  // namespace

NoisyCurve::NoisyCurve(int points, Rng& rng) {
    for (int j = 0; j < points; ++j) {
        k.push_back(rng.uniform());
        v.push_back(height(k.back()) + 0.3 * rng.normal());
    }
    for (int i = 0; i <= 100; ++i) {
        q.push_back(0.01 * i);
        truth.push_back(height(q.back()));
    }
}

double NoisyCurve::estimate(double x, double h) const {
    double above = 0, below = 0;
    for (std::size_t j = 0; j < k.size(); ++j) {
        const double g = std::exp(-std::pow(x - k[j], 2) / (2 * h * h));
        above += g * v[j];
        below += g;
    }
    return below > 1e-200 ? above / below : NAN;
}

double NoisyCurve::gap(const std::vector<double>& y, double h) const {
    double largest = 0;
    for (std::size_t i = 0; i < q.size(); ++i)
        largest = std::fmax(largest, std::abs(estimate(q[i], h) - y[i]));
    return largest;
}

double NoisyCurve::error(const std::vector<double>& y) const {
    double squares = 0;
    for (std::size_t i = 0; i < q.size(); ++i) squares += std::pow(y[i] - truth[i], 2);
    return squares / static_cast<double>(q.size());
}

}  // namespace heed::workshop9
