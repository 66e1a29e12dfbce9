// Two data sets for classification. One has points on two spirals that are wound into each other
// (Lang and Witbrock 1988), the other measurements of which most mean nothing.
#pragma once

#include <vector>

#include "autograd/record/grad_mode.h"
#include "autograd/tensor/random.h"
#include "autograd/tensor/tensor.h"
#include "nn/layers/losses.h"

namespace heed::lesson04 {

struct Points {
    Tensor x;  // [B, 2], within about -1 to 1
    Tensor t;  // [B], the spiral it is on: 0 or 1
};

// `count` points, half of them on each spiral, with a little noise.
Points two_spirals(int count, Rng& rng);

// Examples of 20 measurements, independent random numbers. The class is 1 if the sum of the first two
// and of some noise is positive; the other 18 have nothing to do with it.
inline constexpr int measured = 20;
Points measurements(int count, Rng& rng);

// The three sets: points for training, 1,000 for validation and 1,000 for the test.
struct Sets {
    Points training, validation, test;
    explicit Sets(Rng& rng, int count = 400)
        : training(two_spirals(count, rng)),
          validation(two_spirals(1000, rng)),
          test(two_spirals(1000, rng)) {}
};

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

}  // namespace heed::lesson04
