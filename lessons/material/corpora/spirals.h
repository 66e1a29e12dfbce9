// Points on two spirals that are wound into each other (Lang and Witbrock 1988).
#pragma once

#include <cmath>
#include <numbers>
#include <vector>

#include "autograd/record/grad_mode.h"
#include "autograd/tensor/random.h"
#include "autograd/tensor/tensor.h"
#include "nn/layers/losses.h"

namespace heed::course {

struct Points {
    Tensor x;  // [B, 2], within about -1 to 1
    Tensor t;  // [B], the spiral it is on: 0 or 1
};

// `count` points, half of them on each spiral, with a little noise.
inline Points two_spirals(int count, Rng& rng) {
    constexpr double revolutions = 2, noise = 0.02;
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

// The three sets: points for training, 1,000 for validation and 1,000 for the test.
struct Sets {
    Points training, validation, test;
    explicit Sets(Rng& rng, int count = 400)
        : training(two_spirals(count, rng)),
          validation(two_spirals(1000, rng)),
          test(two_spirals(1000, rng)) {}
};

// The model gets points and gives for each a number that is positive for spiral 1.
template <class Model>
double accuracy_on(const Points& points, const Model& model) {
    const NoGrad no_grad;
    return mean((model(points.x) > 0.0) == points.t).item();
}

template <class Model>
double loss_on(const Points& points, const Model& model) {
    const NoGrad no_grad;
    return binary_cross_entropy_with_logits(model(points.x), points.t).item();
}

}  // namespace heed::course
