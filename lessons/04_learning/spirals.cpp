#include "lessons/04_learning/spirals.h"

#include <algorithm>
#include <cmath>
#include <numbers>

using namespace heed;

namespace {

constexpr double revolutions = 2, noise = 0.02, edge = 1.1;

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

Tensor pixel_centres(int pixels) {
    std::vector<double> x;
    const auto centre = [&](int i) { return edge * (2 * (i + 0.5) / pixels - 1); };
    for (int row = 0; row < pixels; ++row)
        for (int column = 0; column < pixels; ++column) {
            x.push_back(centre(column));
            x.push_back(-centre(row));  // the second coordinate grows upwards
        }
    return tensor(x, {pixels * pixels, 2});
}

course::Picture drawn(const std::string& title, const std::vector<double>& probabilities,
                      const Points& points, int pixels) {
    course::Picture picture{.title = title, .height = pixels, .width = pixels};
    for (double p : probabilities) picture.grey.push_back(0.25 + 0.5 * p);
    const std::vector<double> x = points.x.to_vector(), t = points.t.to_vector();
    const auto pixel = [&](double at) {
        return std::clamp(static_cast<int>((at / edge + 1) / 2 * pixels), 0, pixels - 1);
    };
    for (std::size_t i = 0; i < t.size(); ++i)
        picture.grey[static_cast<std::size_t>(pixel(-x[2 * i + 1]) * pixels + pixel(x[2 * i]))] =
            t[i];
    return picture;
}
