// Two spirals wound into each other: which of the two does a point belong to? (Lang and Witbrock
// 1988)
#pragma once

#include <string>
#include <vector>

#include "autograd/ops/random.h"
#include "autograd/tensor/tensor.h"
#include "lessons/course/figures/figures.h"

struct Points {
    heed::Tensor x;  // [B, 2], within about -1 to 1
    heed::Tensor t;  // [B], the spiral it is on: 0 or 1
};

// So many points, half on each spiral, spread evenly along it, with a little noise.
Points two_spirals(int count, heed::Rng& rng);

// The square from -1.1 to 1.1 in pixels: grey says what the model thinks of each (its probability
// of 1), black and white are the points.
template <class Model>
heed::course::Picture boundary(const std::string& title, const Model& model, const Points& points,
                               int pixels);

// What `boundary` is made of.
heed::Tensor pixel_centres(int pixels);  // [pixels², 2]
heed::course::Picture drawn(const std::string& title, const std::vector<double>& probabilities,
                            const Points& points, int pixels);

template <class Model>
heed::course::Picture boundary(const std::string& title, const Model& model, const Points& points,
                               int pixels) {
    return drawn(title, sigmoid(model(pixel_centres(pixels))).to_vector(), points, pixels);
}
