// Training an eye by any loss, and what is measured of it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lessons/14_glimpses/eye.h"

namespace heed::lesson14 {

using Loss = std::function<Tensor(const Eye&, const Seen&, const Indices& labels)>;

struct Way {
    std::string name;
    Looking looking;  // in training and in use
    Loss loss;
};

struct Budget {
    int epochs = 1, batch = 64;
    double lr = 1e-3;  // Adam's; falls along a cosine to a fiftieth
};

// After each epoch, counted from 1, with the mean loss of its steps.
using OnEpoch = std::function<void(int epoch, double loss)>;
void train(const Eye& eye, const Way& way, const course::Images& images, const Budget& budget,
           Rng& rng, const OnEpoch& on_epoch = {});

// The share of pictures named right: one sample of the places for each, never the best of several.
double accuracy(const Eye& eye, const course::Images& images, Looking looking, std::uint64_t seed);

// The variance of the gradient that reaches the network of places, over draws of the places, the
// pictures being the same; summed over its weights.
double noise(const Eye& eye, const Way& way, const course::Images& images, int draws, Rng& rng);

}  // namespace heed::lesson14
