#include "lessons/04_learning/data.h"

#include <cmath>
#include <numbers>

namespace heed::lesson04 {

namespace {

constexpr double revolutions = 2, noise = 0.02;

}  // namespace

Points two_spirals(int count, Rng& rng) {
    std::vector<double> x, t;
    for (int i = 0; i < count; ++i) {
        const int spiral = i % 2;
        const double radius = 0.1 + 0.9 * std::sqrt(rng.uniform());
        const double angle = std::numbers::pi * (2 * revolutions * radius + spiral);
        x.push_back(radius * std::cos(angle) + noise * rng.normal());
        x.push_back(radius * std::sin(angle) + noise * rng.normal());
        t.push_back(spiral);
    }
    return {tensor(x, {count, 2}), tensor(t, {count})};
}

Points measurements(int count, Rng& rng) {
    std::vector<double> x, t;
    for (int i = 0; i < count; ++i) {
        double sum = 0.5 * rng.normal();
        for (int k = 0; k < measured; ++k) {
            x.push_back(rng.normal());
            if (k < 2) sum += x.back();
        }
        t.push_back(sum > 0);
    }
    return {tensor(x, {count, measured}), tensor(t, {count})};
}

}  // namespace heed::lesson04
