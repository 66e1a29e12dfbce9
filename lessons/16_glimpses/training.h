// Training the model with a given loss, and measures of the trained model.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lessons/16_glimpses/model.h"

namespace heed::lesson16 {

using Loss = std::function<Tensor(const GlimpseModel&, const Output&, const Indices& labels)>;

struct Method {
    std::string name;
    LocationRule rule;  // in training and afterwards
    Loss loss;
};

struct Budget {
    int epochs = 1, batch = 64;
    double lr = 1e-3;  // of Adam; falls along a cosine to a fiftieth
};

// Called after each epoch, counted from 1, with the mean loss of its steps.
using OnEpoch = std::function<void(int epoch, double loss)>;
// `changing` are the variables that on_epoch changes, for the checkpoint.
void train(const GlimpseModel& model, const Method& method, const course::Images& images,
           const Budget& budget, Rng& rng, const OnEpoch& on_epoch = {},
           std::vector<State> changing = {});

// The share of pictures classified correctly, with one sample of the locations for each picture.
double accuracy(const GlimpseModel& model, const course::Images& images, LocationRule rule,
                std::uint64_t seed);

// The variance, over samples of the locations, of the gradient of the location network on the same
// pictures; summed over its weights.
double gradient_variance(const GlimpseModel& model, const Method& method,
                         const course::Images& images, int draws, Rng& rng);

}  // namespace heed::lesson16
